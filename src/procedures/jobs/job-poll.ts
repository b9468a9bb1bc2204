import type { Argv, CommandResult, HostQuery } from '../../domain/command.ts';
import { executableName } from '../../domain/command.ts';
import type { PollRequest } from './poll-script.ts';
import { POLL_PREFIX, pollArgv } from './poll-script.ts';

/** `interrupted`: the job was started and disappeared without an exit code. */
export type JobState =
  | { readonly kind: 'none' | 'running' | 'interrupted' }
  | { readonly kind: 'ended'; readonly exitCode: number };

export interface JobPoll {
  readonly state: JobState;
  /** In bytes, including output that is no longer kept. */
  readonly total: number;
  /** Larger than requested if that part of the output is no longer kept. */
  readonly offset: number;
  readonly output: Uint8Array;
  readonly isFirstReport: boolean;
  /** By the clock of the host, in whole seconds; `undefined` if unknown. */
  readonly startedMsAgo: number | undefined;
  readonly endedMsAgo: number | undefined;
}

const LINE = new RegExp(
  `^${POLL_PREFIX} (none|running|interrupted|ended) (-|\\d{1,3}) (\\d{1,15}) (\\d{1,15})(?: (first|-) (-|\\d{1,9}) (-|\\d{1,9}))?\\n`,
);

function toJobState(stateWord: string | undefined, code: string | undefined): JobState | undefined {
  if (stateWord === 'none' || stateWord === 'running' || stateWord === 'interrupted') return { kind: stateWord };
  return code === '-' ? undefined : { kind: 'ended', exitCode: Number(code) };
}

const toMs = (seconds: string | undefined): number | undefined =>
  seconds === undefined || seconds === '-' ? undefined : Number(seconds) * 1000;

function parsePoll({ stdout }: CommandResult): JobPoll | undefined {
  const bytes = Buffer.from(stdout);
  // In latin1 one character is one byte, so `line.length` is a byte offset.
  const [line, stateWord, code, total, offset, reportWord, started, ended] = LINE.exec(bytes.toString('latin1')) ?? [];
  const state = toJobState(stateWord, code);
  if (line === undefined || state === undefined) return undefined;
  return {
    state,
    total: Number(total),
    offset: Number(offset),
    output: bytes.subarray(line.length),
    isFirstReport: reportWord === 'first',
    startedMsAgo: toMs(started),
    endedMsAgo: toMs(ended),
  };
}

export const pollJob = (request: PollRequest): HostQuery<JobPoll> => ({ argv: pollArgv(request), parse: parsePoll });

/** `interrupted`: the job disappeared without an exit code, or the host rebooted while it ran. */
export const JOB_RESULTS = ['ok', 'nonzero', 'interrupted'] as const;

/** For metrics and traces. Contains no output and no arguments, because both can be secret. */
export interface FinishedJob {
  readonly program: string;
  readonly result: (typeof JOB_RESULTS)[number];
  readonly exitCode: number | undefined;
  readonly startedMsAgo: number;
  readonly endedMsAgo: number;
}

/** Hosts report whole seconds. Within this difference the own measurement is more precise. */
const HOST_CLOCK_RESOLUTION_MS = 1000;

/** `observedMs`: how long this server has known the job to run. Another server can have started it. */
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
