import type { Argv, CommandResult, HostQuery } from '../../domain/command.ts';
import { executableName } from '../../domain/command.ts';
import type { PollRequest } from './poll-script.ts';
import { POLL_PREFIX, pollArgv } from './poll-script.ts';

/** `interrupted`: it was begun, and is gone without a word of how it ended. */
export type JobState =
  | { readonly kind: 'none' | 'running' | 'interrupted' }
  | { readonly kind: 'ended'; readonly exitCode: number };

/** What was seen of a job. */
export interface JobPoll {
  readonly state: JobState;
  /** Bytes of output so far, also of what is not kept any more. */
  readonly total: number;
  /** The place of the first byte below in all of the output: further on than asked for, where that is not kept any more. */
  readonly offset: number;
  readonly output: Uint8Array;
  /** Whether the end of the job was not reported before. */
  readonly isFirstReport: boolean;
  /** By the clock of the host, in whole seconds; `undefined`: it does not know. */
  readonly startedMsAgo: number | undefined;
  readonly endedMsAgo: number | undefined;
}

const LINE = new RegExp(
  `^${POLL_PREFIX} (none|running|interrupted|ended) (-|\\d{1,3}) (\\d{1,15}) (\\d{1,15})(?: (first|-) (-|\\d{1,9}) (-|\\d{1,9}))?\\n`,
);

function toJobState(word: string | undefined, code: string | undefined): JobState | undefined {
  if (word === 'none' || word === 'running' || word === 'interrupted') return { kind: word };
  return code === '-' ? undefined : { kind: 'ended', exitCode: Number(code) };
}

const toMs = (seconds: string | undefined): number | undefined =>
  seconds === undefined || seconds === '-' ? undefined : Number(seconds) * 1000;

function parsePoll({ stdout }: CommandResult): JobPoll | undefined {
  const bytes = Buffer.from(stdout);
  // One character of it is one byte.
  const [line, word, code, total, offset, report, started, ended] = LINE.exec(bytes.toString('latin1')) ?? [];
  const state = toJobState(word, code);
  if (line === undefined || state === undefined) return undefined;
  return {
    state,
    total: Number(total),
    offset: Number(offset),
    output: bytes.subarray(line.length),
    isFirstReport: report === 'first',
    startedMsAgo: toMs(started),
    endedMsAgo: toMs(ended),
  };
}

/** Asked as root. */
export const pollJob = (request: PollRequest): HostQuery<JobPoll> => ({
  argv: pollArgv(request),
  parse: parsePoll,
});

/** `interrupted`: it is gone without a word of how it ended, or the host rebooted while it ran. */
export const JOB_RESULTS = ['ok', 'nonzero', 'interrupted'] as const;

/** How a job ended, for whoever counts and traces. Nothing that it said, and no argument: those may be secret. */
export interface FinishedJob {
  readonly program: string;
  readonly result: (typeof JOB_RESULTS)[number];
  /** `undefined`: of one that is lost. */
  readonly exitCode: number | undefined;
  readonly startedMsAgo: number;
  readonly endedMsAgo: number;
}

/** Hosts count in whole seconds: where they differ from what we saw by no more, we saw it better. */
const HOST_CLOCK_RESOLUTION_MS = 1000;

/**
 * The end of a job, when it is seen for the first time by anybody; else `undefined`. `knownMs`: for how long whoever asks has known it to run. It may
 * have been begun by another server, and have ended while nobody looked: the host remembers both.
 */
export function toFinishedJob(argv: Argv, poll: JobPoll, observedMs: number): FinishedJob | undefined {
  const { state, isFirstReport, startedMsAgo = 0, endedMsAgo = 0 } = poll;
  if (state.kind === 'running' || !(isFirstReport || state.kind === 'none')) return undefined;
  const exitCode = state.kind === 'ended' ? state.exitCode : undefined;
  const elapsedMs = startedMsAgo > observedMs + HOST_CLOCK_RESOLUTION_MS ? startedMsAgo : observedMs;
  return {
    program: executableName(argv),
    result: exitCode === undefined ? 'interrupted' : exitCode === 0 ? 'ok' : 'nonzero',
    exitCode,
    startedMsAgo: elapsedMs,
    endedMsAgo: endedMsAgo > HOST_CLOCK_RESOLUTION_MS ? Math.min(endedMsAgo, elapsedMs) : 0,
  };
}
