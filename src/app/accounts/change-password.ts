import type { Account } from '../../domain/account.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { newId } from '../../lib/new-id.ts';
import type { Ports } from '../ports.ts';
import { tell } from '../tell.ts';
import { unknownAccount } from './read-accounts.ts';

export async function changePassword(
  { store, clock, hasher, authenticator }: Ports,
  actor: Actor,
  name: RecordName,
  password: Secret,
): Promise<Account | Refusal> {
  const passwordHash = await hasher.hash(password);
  const result = await store.transaction(async records => {
    const current = await records.accounts.lock(name);
    if (current === undefined) return unknownAccount(name);
    const changed = { ...current, passwordHash, revision: newId(), changedAt: formatTimestamp(clock.now()) };
    await records.accounts.update(changed);
    await tell(records, clock, actor, [{ type: 'account.password', subject: name }]);
    return changed;
  });
  authenticator.accountChanged(name);
  return result;
}
