import type { Change } from '../change.ts';
import type { MadeSafe } from './make-safe.ts';

/** Whoever follows what happens is told that it is not what it was: with this entry the numbers of the log go on far ahead, and positions before it are not kept. */
export async function beginLogAnew(
  { tell }: Pick<Change, 'tell'>,
  { backupAt, notTakenOut }: Pick<MadeSafe, 'backupAt' | 'notTakenOut'>,
): Promise<void> {
  const data = { backup_at: backupAt, ...(notTakenOut.length > 0 && { not_taken_out: notTakenOut }) };
  await tell({ type: 'service.restored', subject: 'service', data });
}
