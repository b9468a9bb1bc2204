import type { Account } from '../../domain/account.ts';
import { RESERVED_ACCOUNT_NAME } from '../../domain/account.ts';
import type { Actor } from '../../domain/actor.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/new-id.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import type { Happening } from '../tell.ts';
import { tell } from '../tell.ts';
import { lastAdminProblem } from './last-admin.ts';

export interface AccountRequest {
  readonly name: RecordName;
  readonly password: Secret;
  readonly role: Role;
}

export function newAccount(name: RecordName, role: Role, passwordHash: string, nowMs: number): Account {
  const now = formatTimestamp(nowMs);
  return { name, role, passwordHash, revision: newId(), createdAt: now, changedAt: now };
}

export const accountCreated = ({ name, role }: Account): Happening => ({
  type: 'account.created',
  subject: name,
  data: { role },
});

/** Creates an account, or gives the one that is there a new password and role. */
export async function putAccount(
  { store, clock, hasher, authenticator }: Pick<Ports, 'store' | 'clock' | 'hasher' | 'authenticator'>,
  actor: Actor,
  { name, password, role }: AccountRequest,
): Promise<PutResult<Account> | Refusal> {
  if (name === RESERVED_ACCOUNT_NAME) {
    return new Refusal('reserved_name', `the name ${name} is reserved for enrolment tokens`);
  }
  const passwordHash = await hasher.hash(password);
  const result = await store.transaction(async records => {
    const wanted = newAccount(name, role, passwordHash, clock.now());
    if ((await records.accounts.get(name)) === undefined && (await records.accounts.insert(wanted))) {
      await tell(records, clock, actor, [accountCreated(wanted)]);
      return { record: wanted, isNew: true };
    }
    const problem = role === 'admin' ? undefined : await lastAdminProblem(records, name);
    if (problem) return problem;
    const current = await records.accounts.lock(name);
    if (current === undefined) return new Refusal('conflict', `${name} was removed meanwhile; try again`);
    const record = { ...wanted, createdAt: current.createdAt };
    await records.accounts.update(record);
    await tell(records, clock, actor, [{ type: 'account.changed', subject: name, data: { role } }]);
    return { record, isNew: false };
  });
  authenticator.accountChanged(name);
  return result;
}
