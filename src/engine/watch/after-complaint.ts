import { isReady } from '../../domain/hosts/host-status.ts';
import type { Learned } from '../../domain/hosts/learned.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import type { Release } from '../../domain/work/agenda.ts';
import { LONGEST_PAUSE_MS, pauseMs } from '../../domain/work/patience.ts';
import type { Complaint } from './complaint.ts';
import { resultOf } from './complaint.ts';
import type { Judgement } from './partition-detector.ts';

/** One lost packet is no lost host: it is asked once more, soon; and a last time when witnesses had to be called first. */
export const TIMES_TO_ASK = 2;
const ASK_AGAIN_MS = 5000;

/** A host that was lost is checked often at first: most come back soon. */
const FIRST_RECHECK_MS = 5000;

interface Situation {
  readonly status: HostStatus;
  /** How often it failed before this time, one after the other. */
  readonly failures: number;
  readonly judgement: Judgement;
  /** Another live server reaches its hosts. */
  readonly isAnotherConnected: boolean;
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
  const { status, judgement, isAnotherConnected, nowMs, checkIntervalMs, chance } = situation;
  const failures = situation.failures + 1;
  // The silence of a host says nothing when the server is partitioned.
  const isMeaningless = complaint.isSilence && judgement === 'partitioned';
  const check = isMeaningless ? null : resultOf(complaint);
  const contact = isMeaningless ? {} : ({ contact: 'failed' } as const);
  if (learned) {
    return {
      learned: { ...learned, reason, check },
      release: { check: 'unwatched', failures: 0, ...contact },
    };
  }
  if (isReady(status) && (failures < TIMES_TO_ASK || judgement !== 'lost')) {
    if (judgement === 'partitioned') {
      // A partitioned server does not judge the host. It checks it again at its next slot, as if it had failed once.
      const next = isAnotherConnected ? 'as it was' : 'next slot';
      return { learned: { check }, release: { check: next, failures: 1, ...contact } };
    }
    return { learned: { check }, release: { check: { at: nowMs + ASK_AGAIN_MS }, failures, ...contact } };
  }
  // Hosts that stay away are checked less and less often.
  const longestPauseMs = Math.max(LONGEST_PAUSE_MS, checkIntervalMs);
  const patience = { firstPauseMs: FIRST_RECHECK_MS, longestPauseMs, giveUpAfterMs: null };
  const at = nowMs + Math.round(pauseMs(patience, failures - TIMES_TO_ASK + 1, chance));
  return {
    learned: { cause: 'lost', reason, check },
    release: { check: isMeaningless && isAnotherConnected ? 'as it was' : { at }, failures, ...contact },
  };
}
