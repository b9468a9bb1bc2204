import type { Account, Actor } from '../../domain/accounts/account.ts';
import { RESERVED_ACCOUNT_NAME } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import type { DomainEvent } from '../../domain/events/domain-event.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/new-id.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { lastAdminProblem } from './last-admin.ts';

/** What changing an account takes. */
export type AccountPorts = Pick<Ports, 'store' | 'hasher' | 'accountChanged'> & {
  readonly clock: Pick<Clock, 'now'>;
};

export interface AccountRequest {
  readonly name: RecordName;
  readonly password: Secret;
  readonly role: Role;
}

export function newAccount(name: RecordName, role: Role, passwordHash: string, nowMs: number): Account {
  const now = formatTimestamp(nowMs);
  return { name, role, passwordHash, revision: newId(), createdAt: now, changedAt: now };
}

export const accountCreated = ({ name, role }: Account): DomainEvent => ({
  type: 'account.created',
  subject: name,
  data: { role },
});

/** Creates an account, or gives the one that is there a new password and role. */
export async function putAccount(
  ports: AccountPorts,
  actor: Actor,
  { name, password, role }: AccountRequest,
): Promise<PutResult<Account> | AppError> {
  if (name === RESERVED_ACCOUNT_NAME) {
    return new AppError(
      'reserved_name',
      `the account name ${name} is reserved for enrolment tokens; choose another name`,
    );
  }
  const passwordHash = await ports.hasher.hash(password);
  if (passwordHash instanceof AppError) return passwordHash;
  const wanted = newAccount(name, role, passwordHash, ports.clock.now());
  const result = await change(ports, actor, async ({ records, tell }) => {
    const problem = role === 'admin' ? undefined : await lastAdminProblem(records, name);
    if (problem) return problem;
    const current = await records.accounts.insertOrLock(wanted);
    if (current === undefined) {
      await tell(accountCreated(wanted));
      return { record: wanted, isNew: true };
    }
    const record = { ...wanted, createdAt: current.createdAt };
    await records.accounts.update(record);
    await tell({ type: 'account.changed', subject: name, data: { role } });
    return { record, isNew: false };
  });
  ports.accountChanged(name);
  return result;
}
