import type { PauseReason } from '../domain/vocabulary.ts';
import type { Whole } from './operation-progress.ts';

const PAUSED_BY: Readonly<Record<PauseReason, string>> = {
  manual: 'paused by hand',
  failures: 'paused, since hosts have failed',
  window: 'paused until its window opens',
  budget: 'paused, since hosts that are out of service are in the way',
};

/** Why nothing new is started, or what is waited for; empty: only for hosts. */
export function explainWait({
  paused_by,
  state,
  problem,
}: Pick<Whole, 'paused_by' | 'state' | 'problem'>): string {
  if (paused_by !== null) return `${PAUSED_BY[paused_by]}${problem === '' ? '' : `: ${problem}`}`;
  if (state === 'cancelling' && problem === '') return 'what is in flight is left in order first';
  return problem;
}
