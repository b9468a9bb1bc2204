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
  /** The job was killed at an unknown point. */
  | { readonly kind: 'interrupted'; readonly output: Uint8Array }
  | { readonly kind: 'still_running'; readonly output: Uint8Array }
  /** The host did not start the job in time, but can still start it later. */
  | { readonly kind: 'not_started'; readonly commandResult: CommandResult }
  | { readonly kind: 'script_error'; readonly error: ScriptError }
  /** The host has rebooted since and has no state of the job. */
  | { readonly kind: 'unknown_to_host' }
  | { readonly kind: 'unreadable' };

export interface JobOptions {
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly startOffset?: number;
  /** Skips output that the host no longer keeps. */
  readonly onOutput?: (bytes: Uint8Array, offset: number) => void;
  /** Called once per job, for the first caller on any server that sees the end. */
  readonly onEnd?: (job: FinishedJob) => void;
}

const MAX_TAIL_BYTES = 65_536;
/** Short, because other hosts can reboot only while the last contact with this host is recent. */
const POLL_WAIT_S = 5;
/** Time after the timeout for reading the remaining output of a job that has just ended. */
const FINAL_READ_MS = 30_000;

class JobReader {
  readonly #job: Job;
  readonly #options: JobOptions;
  readonly #startedMs: number;
  /** Length of the output when the job ended. A daemon that the job started can add more. */
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

  get waitS(): number {
    return Math.max(0, Math.min(POLL_WAIT_S, Math.ceil(this.#remainingMs / 1000)));
  }

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
    return this.offset < this.#finalOffset && output.length > 0 && this.#remainingMs > -FINAL_READ_MS;
  }

  /** Reported before the remaining output is read, because that can fail. */
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
  connection.query(pollJob({ name, offset, waitS }), { timeoutMs: waitS * 1000 + QUERY_TIMEOUT_MS, asRoot: true });

/** A repeated call attaches to the same job. Running the command again needs a new job name. */
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
