import type { Progress, Whole } from '../../client/operation-progress.ts';

/** So long nobody has to be told that no server answers: it may be a restart. */
export const TELL_SILENCE_AFTER_MS = 3000;

/** What may be asked of a paused operation, as it would be typed. */
export function decisionsOn({ can, id, paused_by }: Whole): string {
  const verbs = (['retry', 'skip', 'resume', 'cancel'] as const).filter(verb => can.includes(verb));
  if (paused_by === 'window' || verbs.length === 0) return '';
  return `decide by: hostler operation ${verbs.join('|')} ${id}`;
}

/** Whether it is time to say that no server answers. */
export const isSilent = ({ silentSinceMs }: Progress, nowMs: number): boolean =>
  silentSinceMs !== undefined && nowMs - silentSinceMs >= TELL_SILENCE_AFTER_MS;
