import type { Release } from '../../domain/agenda.ts';
import { isReadyToJoin } from '../../domain/host-status.ts';
import type { Learned } from '../../domain/learned.ts';
import { pauseMs } from '../../domain/patience.ts';
import type { TransportFailure } from '../../domain/transport-failure.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';

/** One lost packet is no lost host: it is asked once more, soon; and a last time when witnesses had to be called first. */
export const TIMES_TO_ASK = 2;
const ASK_AGAIN_MS = 5000;

/** Those that stay away are asked less and less often, but never less often than this or than those that are well. */
const LONGEST_PAUSE_MS = 300_000;

/** `unsure`: others have to be looked at first. `blind`: it is more likely that the server has lost its network. */
export type Judgement = 'lost' | 'unsure' | 'blind';

interface Situation {
  readonly status: HostStatus;
  /** How often it failed before this time, one after the other. */
  readonly failures: number;
  readonly judgement: Judgement;
  /** The store's clock. */
  readonly nowMs: number;
  readonly checkIntervalMs: number;
  readonly chance: number;
}

export interface Verdict {
  readonly learned: Learned;
  readonly release: Release;
}

/** What follows when a check got no answer: pure, so that every case is a row of a table. */
export function afterSilence(failure: TransportFailure, situation: Situation): Verdict {
  const { status, judgement, nowMs, checkIntervalMs, chance } = situation;
  const failures = situation.failures + 1;
  const reason = String(failure);
  if (failure.kind === 'host_key_changed') {
    const offered = failure.offeredKey !== undefined && { offeredKey: failure.offeredKey };
    return {
      learned: { cause: 'distrusted', reason, isCheck: true, ...offered },
      release: { check: 'unwatched', failures: 0 },
    };
  }
  if (isReadyToJoin(status) && (failures < TIMES_TO_ASK || judgement !== 'lost')) {
    const learned = { isCheck: true };
    // What a blind server cannot see it does not judge; the host is asked again in its turn, as if it had failed once.
    if (judgement === 'blind') return { learned, release: { check: 'next slot', failures: 1 } };
    return { learned, release: { check: { at: nowMs + ASK_AGAIN_MS }, failures } };
  }
  const longestPauseMs = Math.max(LONGEST_PAUSE_MS, checkIntervalMs);
  const patience = { firstPauseMs: checkIntervalMs, longestPauseMs, giveUpAfterMs: null };
  const at = nowMs + Math.round(pauseMs(patience, failures - TIMES_TO_ASK + 1, chance));
  return {
    learned: { cause: 'lost', reason, isCheck: true },
    release: { check: { at }, failures },
  };
}
