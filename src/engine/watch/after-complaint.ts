import { isReady } from '../../domain/hosts/host-status.ts';
import type { Learned } from '../../domain/hosts/learned.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import type { Release } from '../../domain/work/agenda.ts';
import { LONGEST_PAUSE_MS, pauseMs } from '../../domain/work/patience.ts';
import type { Complaint } from './complaint.ts';
import { resultOf } from './complaint.ts';

/** One lost packet is no lost host: it is asked once more, soon; and a last time when witnesses had to be called first. */
export const TIMES_TO_ASK = 2;
const ASK_AGAIN_MS = 5000;

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

/** What follows when a check did not find a host well: pure, so that it can be tested as a table. */
export function afterComplaint(complaint: Complaint, situation: Situation): Verdict {
  const { problem: reason, learned } = complaint;
  const { status, judgement, nowMs, checkIntervalMs, chance } = situation;
  const failures = situation.failures + 1;
  // What a blind server cannot see says nothing of the host.
  const check = complaint.isSilence && judgement === 'blind' ? null : resultOf(complaint);
  if (learned) {
    return {
      learned: { ...learned, reason, check },
      release: { check: 'unwatched', failures: 0 },
    };
  }
  if (isReady(status) && (failures < TIMES_TO_ASK || judgement !== 'lost')) {
    const looked = { check };
    // What a blind server cannot see it does not judge; the host is asked again in its turn, as if it had failed once.
    if (judgement === 'blind') return { learned: looked, release: { check: 'next slot', failures: 1 } };
    return { learned: looked, release: { check: { at: nowMs + ASK_AGAIN_MS }, failures } };
  }
  // Those that stay away are asked less and less often, but no less often than those that are well.
  const longestPauseMs = Math.max(LONGEST_PAUSE_MS, checkIntervalMs);
  const patience = { firstPauseMs: checkIntervalMs, longestPauseMs, giveUpAfterMs: null };
  const at = nowMs + Math.round(pauseMs(patience, failures - TIMES_TO_ASK + 1, chance));
  return {
    learned: { cause: 'lost', reason, check },
    release: { check: { at }, failures },
  };
}
