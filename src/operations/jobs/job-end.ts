import type { Argv } from '../../domain/command.ts';
import { programOf } from '../program-of.ts';
import type { Look } from './look.ts';

/** `interrupted`: it is gone without a word of how it ended, or the host rebooted while it ran. */
export const JOB_RESULTS = ['ok', 'nonzero', 'interrupted'] as const;

/** How a job ended, for whoever counts and traces. Nothing that it said, and no argument: those may be secret. */
export interface JobEnd {
  readonly program: string;
  readonly result: (typeof JOB_RESULTS)[number];
  /** `undefined`: of one that is lost. */
  readonly exitCode: number | undefined;
  readonly begunMsAgo: number;
  readonly endedMsAgo: number;
}

/** Hosts count in whole seconds: where they differ from what we saw by no more, we saw it better. */
const HOST_TICK_MS = 1000;

/**
 * The end of a job, when it is seen for the first time by anybody; else `undefined`. `knownMs`: for how long whoever asks has known it to run. It may
 * have been begun by another server, and have ended while nobody looked: the host remembers both.
 */
export function endOf(argv: Argv, look: Look, knownMs: number): JobEnd | undefined {
  const { state, isFirstSight, begunMsAgo = 0, endedMsAgo = 0 } = look;
  if (state.kind === 'running' || !(isFirstSight || state.kind === 'none')) return undefined;
  const exitCode = state.kind === 'ended' ? state.exitCode : undefined;
  const begun = begunMsAgo > knownMs + HOST_TICK_MS ? begunMsAgo : knownMs;
  return {
    program: programOf(argv),
    result: exitCode === undefined ? 'interrupted' : exitCode === 0 ? 'ok' : 'nonzero',
    exitCode,
    begunMsAgo: begun,
    endedMsAgo: endedMsAgo > HOST_TICK_MS ? Math.min(endedMsAgo, begun) : 0,
  };
}
