import type { Whole } from '../../client/operation-progress.ts';

/** What may be asked of a paused operation, as it would be typed. */
export function decisionsOn({ can, id, paused_by }: Whole): string {
  const verbs = (['retry', 'skip', 'resume', 'cancel'] as const).filter(verb => can.includes(verb));
  if (paused_by === 'window' || verbs.length === 0) return '';
  return `decide by: hostler operation ${verbs.join('|')} ${id}`;
}
