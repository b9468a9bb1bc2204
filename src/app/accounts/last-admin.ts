import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Records } from '../../store/records.ts';

/** Refuses what would leave no admin. All admins stay locked, so that two of them cannot do it to each other at once. */
export async function lastAdminProblem(records: Records, name: RecordName): Promise<AppError | undefined> {
  const admins = await records.accounts.lockAdmins();
  if (admins.length > 1 || admins[0] !== name) return undefined;
  return new AppError('last_admin', `${name} is the only admin; give another account the role admin first`);
}
