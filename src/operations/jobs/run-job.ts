import type { Ran } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { ScriptError } from '../script-error.ts';
import { readScriptError } from '../script-error.ts';
import type { HostLink } from '../step.ts';
import { ASK_TIMEOUT_MS } from '../time-limits.ts';
import type { Job } from './job.ts';
import type { JobEnd } from './job-end.ts';
import { endOf } from './job-end.ts';
import type { JobState, Look } from './look.ts';
import { lookAt } from './look.ts';
import { startArgv } from './start-script.ts';

export type JobResult =
  | { readonly kind: 'ended'; readonly exitCode: number; readonly output: Uint8Array }
  /** It was killed, and how far it came nobody knows. */
  | { readonly kind: 'interrupted'; readonly output: Uint8Array }
  /** It took longer than we wait; it goes on. */
  | { readonly kind: 'still running'; readonly output: Uint8Array }
  /** The host did not start it in time; perhaps it still does. */
  | { readonly kind: 'not started'; readonly ran: Ran }
  /** The host cannot run jobs, and reported why. */
  | { readonly kind: 'script error'; readonly error: ScriptError }
  /** The host knows nothing of it any more: it was booted since. */
  | { readonly kind: 'forgotten' }
  /** What the host says of it makes no sense. */
  | { readonly kind: 'unreadable' };

export interface JobOptions {
  /** How long it is waited for. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** How much of the output is known already, to whoever re-attaches. */
  readonly from?: number;
  /** Is given what the job says, and its place in all that it has said, as far as that is kept. */
  readonly onOutput?: (bytes: Uint8Array, place: number) => void;
  /** Is told of its end, once: whoever comes later, from whatever server, is not. */
  readonly onEnd?: (end: JobEnd) => void;
}

/** Of the output this much is answered: its end. */
const TAIL_BYTES = 65_536;
/** How long one look waits at the host. Other hosts reboot only while this one is known to answer, so it must answer often. */
const WAIT_S = 5;
/** After the time is over, for the rest of what a job has said that ended at the last moment. */
const READ_ON_MS = 30_000;

/** What one caller has seen of a job so far. */
class Watch {
  readonly #job: Job;
  readonly #options: JobOptions;
  readonly #begunMs: number;
  /** What is complete at this place, once the job is over: a daemon that it left behind may go on. */
  #end: number | undefined;
  offset: number;
  tail: Uint8Array = new Uint8Array();

  constructor(job: Job, options: JobOptions) {
    this.#job = job;
    this.#options = options;
    this.offset = options.from ?? 0;
    this.#begunMs = options.clock.monotonicMs();
  }

  get #leftMs(): number {
    return this.#options.timeoutMs - this.#passedMs;
  }

  get #passedMs(): number {
    return this.#options.clock.monotonicMs() - this.#begunMs;
  }

  /** How long the next look may wait; 0: not at all. */
  get waitS(): number {
    return Math.max(0, Math.min(WAIT_S, Math.ceil(this.#leftMs / 1000)));
  }

  /** Takes in what was seen; answers whether there is more to be seen of what is there by now. */
  note(seen: Look): boolean {
    const { state, from, output, total } = seen;
    if (output.length > 0) {
      this.#options.onOutput?.(output, from);
      this.tail = Buffer.concat([this.tail, output]).subarray(-TAIL_BYTES);
    }
    this.offset = from + output.length;
    if (state.kind === 'running') return this.waitS > 0;
    if (this.#end === undefined) this.#tellEnd(seen);
    this.#end ??= total;
    // What is left to be read when it is over does not have for ever either.
    return this.offset < this.#end && output.length > 0 && this.#leftMs > -READ_ON_MS;
  }

  /** At once: the rest of the output may not come any more. */
  #tellEnd(seen: Look): void {
    const end = endOf(this.#job.argv, seen, this.#passedMs);
    if (end) this.#options.onEnd?.(end);
  }
}

function resultOf(state: JobState | undefined, output: Uint8Array): JobResult {
  switch (state?.kind) {
    case 'ended':
      return { kind: 'ended', exitCode: state.exitCode, output };
    case 'interrupted':
      return { kind: 'interrupted', output };
    case 'running':
      return { kind: 'still running', output };
    case 'none':
      return { kind: 'forgotten' };
    case undefined:
      return { kind: 'unreadable' };
  }
}

const look = (link: HostLink, { name }: Job, { offset, waitS }: Watch) =>
  link.ask(lookAt({ name, offset, waitS }), { timeoutMs: waitS * 1000 + ASK_TIMEOUT_MS, asRoot: true });

/**
 * Starts a job, unless it was started before, and waits for its end. After a failure, and when it still runs, the same again goes on
 * where the job is; to have the command run once more takes a job of another name.
 */
export async function runJob(
  link: HostLink,
  job: Job,
  options: JobOptions,
): Promise<JobResult | TransportFailure> {
  const ran = await link.run(startArgv(job), { timeoutMs: ASK_TIMEOUT_MS, asRoot: true });
  if (ran instanceof TransportFailure) return ran;
  if (ran.exitCode !== 0) {
    const error = readScriptError(ran);
    return error ? { kind: 'script error', error } : { kind: 'not started', ran };
  }
  const watch = new Watch(job, options);
  let seen: Look | TransportFailure | undefined;
  do {
    seen = await look(link, job, watch);
    if (seen instanceof TransportFailure) return seen;
  } while (seen !== undefined && watch.note(seen));
  return resultOf(seen?.state, watch.tail);
}
