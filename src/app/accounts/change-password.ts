import type { Account, Actor } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { newId } from '../../lib/new-id.ts';
import { change } from '../change.ts';
import type { AccountPorts } from './put-account.ts';
import { unknownAccount } from './read-accounts.ts';

export async function changePassword(
  ports: AccountPorts,
  actor: Actor,
  name: RecordName,
  password: Secret,
): Promise<Account | AppError> {
  const passwordHash = await ports.hasher.hash(password);
  if (passwordHash instanceof AppError) return passwordHash;
  const result = await change(ports, actor, async ({ records, now, tell }) => {
    const current = await records.accounts.lock(name);
    if (current === undefined) return unknownAccount(name);
    const changed = { ...current, passwordHash, revision: newId(), changedAt: now() };
    await records.accounts.update(changed);
    await tell({ type: 'account.password_changed', subject: name });
    return changed;
  });
  ports.accountChanged(name);
  return result;
}
