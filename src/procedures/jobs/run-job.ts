import type { CommandResult } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { QUERY_TIMEOUT_MS } from '../retry-policies.ts';
import type { ScriptError } from '../script-error.ts';
import { parseScriptError } from '../script-error.ts';
import type { HostConnection } from '../step.ts';
import type { Job } from './job.ts';
import type { FinishedJob, JobPoll, JobState } from './job-poll.ts';
import { pollJob, toFinishedJob } from './job-poll.ts';
import { startArgv } from './start-script.ts';

export type JobResult =
  | { readonly kind: 'ended'; readonly exitCode: number; readonly output: Uint8Array }
  /** It was killed, and how far it came nobody knows. */
  | { readonly kind: 'interrupted'; readonly output: Uint8Array }
  /** It took longer than we wait; it goes on. */
  | { readonly kind: 'still_running'; readonly output: Uint8Array }
  /** The host did not start it in time; perhaps it still does. */
  | { readonly kind: 'not_started'; readonly commandResult: CommandResult }
  /** The host cannot run jobs, and reported why. */
  | { readonly kind: 'script_error'; readonly error: ScriptError }
  /** The host knows nothing of it any more: it was booted since. */
  | { readonly kind: 'unknown_to_host' }
  /** What the host says of it makes no sense. */
  | { readonly kind: 'unreadable' };

export interface JobOptions {
  /** How long it is waited for. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** How much of the output is known already, to whoever re-attaches. */
  readonly startOffset?: number;
  /** Is given what the job says, and its place in all that it has said, as far as that is kept. */
  readonly onOutput?: (bytes: Uint8Array, offset: number) => void;
  /** Is told of its end, once: whoever comes later, from whatever server, is not. */
  readonly onEnd?: (job: FinishedJob) => void;
}

/** Of the output this much is answered: its end. */
const MAX_TAIL_BYTES = 65_536;
/** How long one look waits at the host. Other hosts reboot only while this one is known to answer, so it must answer often. */
const POLL_WAIT_S = 5;
/** After the time is over, for the rest of what a job has said that ended at the last moment. */
const FINAL_READ_MS = 30_000;

/** What one caller has seen of a job so far. */
class JobReader {
  readonly #job: Job;
  readonly #options: JobOptions;
  readonly #startedMs: number;
  /** What is complete at this place, once the job is over: a daemon that it left behind may go on. */
  #finalOffset: number | undefined;
  offset: number;
  tail: Uint8Array = new Uint8Array();

  constructor(job: Job, options: JobOptions) {
    this.#job = job;
    this.#options = options;
    this.offset = options.startOffset ?? 0;
    this.#startedMs = options.clock.monotonicMs();
  }

  get #remainingMs(): number {
    return this.#options.timeoutMs - this.#elapsedMs;
  }

  get #elapsedMs(): number {
    return this.#options.clock.monotonicMs() - this.#startedMs;
  }

  /** How long the next look may wait; 0: not at all. */
  get waitS(): number {
    return Math.max(0, Math.min(POLL_WAIT_S, Math.ceil(this.#remainingMs / 1000)));
  }

  /** Takes in what was seen; answers whether there is more to be seen of what is there by now. */
  accept(poll: JobPoll): boolean {
    const { state, offset, output, total } = poll;
    if (output.length > 0) {
      this.#options.onOutput?.(output, offset);
      this.tail = Buffer.concat([this.tail, output]).subarray(-MAX_TAIL_BYTES);
    }
    this.offset = offset + output.length;
    if (state.kind === 'running') return this.waitS > 0;
    if (this.#finalOffset === undefined) this.#reportEnd(poll);
    this.#finalOffset ??= total;
    // What is left to be read when it is over does not have for ever either.
    return this.offset < this.#finalOffset && output.length > 0 && this.#remainingMs > -FINAL_READ_MS;
  }

  /** At once: the rest of the output may not come any more. */
  #reportEnd(poll: JobPoll): void {
    const end = toFinishedJob(this.#job.argv, poll, this.#elapsedMs);
    if (end) this.#options.onEnd?.(end);
  }
}

function toJobResult(state: JobState | undefined, output: Uint8Array): JobResult {
  switch (state?.kind) {
    case 'ended':
      return { kind: 'ended', exitCode: state.exitCode, output };
    case 'interrupted':
      return { kind: 'interrupted', output };
    case 'running':
      return { kind: 'still_running', output };
    case 'none':
      return { kind: 'unknown_to_host' };
    case undefined:
      return { kind: 'unreadable' };
  }
}

const pollOnce = (connection: HostConnection, { name }: Job, { offset, waitS }: JobReader) =>
  connection.query(pollJob({ name, offset, waitS }), {
    timeoutMs: waitS * 1000 + QUERY_TIMEOUT_MS,
    asRoot: true,
  });

/**
 * Starts a job, unless it was started before, and waits for its end. After a failure, and when it still runs, the same again goes on
 * where the job is; to have the command run once more takes a job of another name.
 */
export async function runJob(
  connection: HostConnection,
  job: Job,
  options: JobOptions,
): Promise<JobResult | TransportFailure> {
  const commandResult = await connection.run(startArgv(job), { timeoutMs: QUERY_TIMEOUT_MS, asRoot: true });
  if (commandResult instanceof TransportFailure) return commandResult;
  if (commandResult.exitCode !== 0) {
    const error = parseScriptError(commandResult);
    return error ? { kind: 'script_error', error } : { kind: 'not_started', commandResult };
  }
  const reader = new JobReader(job, options);
  let poll: JobPoll | TransportFailure | undefined;
  do {
    poll = await pollOnce(connection, job, reader);
    if (poll instanceof TransportFailure) return poll;
  } while (poll !== undefined && reader.accept(poll));
  return toJobResult(poll?.state, reader.tail);
}
