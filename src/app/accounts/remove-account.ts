import type { Actor } from '../../domain/actor.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Ports } from '../ports.ts';
import { tell } from '../tell.ts';
import { lastAdminProblem } from './last-admin.ts';
import { unknownAccount } from './read-accounts.ts';

export async function removeAccount(
  { store, clock, authenticator }: Ports,
  actor: Actor,
  name: RecordName,
): Promise<undefined | Refusal> {
  const result = await store.transaction(async records => {
    const problem = await lastAdminProblem(records, name);
    if (problem) return problem;
    if ((await records.accounts.lock(name)) === undefined) return unknownAccount(name);
    await records.accounts.remove(name);
    await tell(records, clock, actor, [{ type: 'account.removed', subject: name }]);
    return undefined;
  });
  authenticator.accountChanged(name);
  return result;
}
