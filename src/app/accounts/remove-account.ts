import type { Actor } from '../../domain/accounts/account.ts';
import type { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { change } from '../change.ts';
import { lastAdminProblem } from './last-admin.ts';
import type { AccountPorts } from './put-account.ts';
import { unknownAccount } from './read-accounts.ts';

export async function removeAccount(
  ports: AccountPorts,
  actor: Actor,
  name: RecordName,
): Promise<undefined | AppError> {
  const result = await change(ports, actor, async ({ records, tell }) => {
    const problem = await lastAdminProblem(records, name);
    if (problem) return problem;
    if ((await records.accounts.lock(name)) === undefined) return unknownAccount(name);
    await records.accounts.remove(name);
    await tell({ type: 'account.removed', subject: name });
    return undefined;
  });
  ports.accountChanged(name);
  return result;
}
