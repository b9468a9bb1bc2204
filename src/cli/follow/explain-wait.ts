import type { Progress, Whole } from './progress.ts';

/** So long nobody has to be told that no server answers: it may be a restart. */
export const TELL_SILENCE_AFTER_MS = 3000;

const PAUSED_BY: Readonly<Record<NonNullable<Whole['paused_by']>, string>> = {
  manual: 'paused by hand',
  failures: 'paused, since hosts have failed',
  window: 'paused until its window opens',
  budget: 'paused, since hosts that are out of service are in the way',
};

/** What may be asked of a paused operation, as it would be typed. */
export function decisionsOn({ can, id, paused_by }: Whole): string {
  const verbs = (['retry', 'skip', 'resume', 'cancel'] as const).filter(verb => can.includes(verb));
  if (paused_by === 'window' || verbs.length === 0) return '';
  return `decide by: hostler operation ${verbs.join('|')} ${id}`;
}

/** Why nothing new is started, or what is waited for; empty: only for hosts. */
export function explainWait({ paused_by, state, problem }: Whole): string {
  if (paused_by !== null) return `${PAUSED_BY[paused_by]}${problem === '' ? '' : `: ${problem}`}`;
  if (state === 'cancelling' && problem === '') return 'what is in flight is left in order first';
  return problem;
}

/** Whether it is time to say that no server answers. */
export const isSilent = ({ silentSinceMs }: Progress, nowMs: number): boolean =>
  silentSinceMs !== undefined && nowMs - silentSinceMs >= TELL_SILENCE_AFTER_MS;
