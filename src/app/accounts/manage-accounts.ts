import type { Account, Actor } from '../../domain/accounts/account.ts';
import { RESERVED_ACCOUNT_NAME } from '../../domain/accounts/account.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { DomainEvent } from '../../domain/events/domain-event.ts';
import type { PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/random.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import { listRecords } from '../pagination.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../unit-of-work.ts';
import { runUnitOfWork } from '../unit-of-work.ts';

export const accountNotFound = (name: RecordName) => new AppError('not_found', `the account ${name} does not exist`);

export const listAccounts = ({ store }: Ports, page: PageRequest<RecordName>) =>
  listRecords(
    store,
    page,
    (reads, batch) => reads.accounts.list(batch),
    account => account.name,
  );

export async function getAccount({ store }: Ports, name: RecordName): Promise<Account | AppError> {
  return (await store.reads.accounts.get(name)) ?? accountNotFound(name);
}

/** Locks all administrators, so two of them cannot remove each other concurrently. */
async function checkNotLastAdmin(records: Repositories, name: RecordName): Promise<AppError | undefined> {
  const admins = await records.accounts.lockAdmins();
  if (admins.length > 1 || admins[0] !== name) return undefined;
  return new AppError('last_admin', `${name} is the only admin; give another account the role admin first`);
}

export type AccountPorts = Pick<Ports, 'store' | 'hasher' | 'invalidateAccount'> & {
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

export const accountCreatedEvent = ({ name, role }: Account): DomainEvent => ({
  type: 'account.created',
  subject: name,
  data: { role },
});

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
  const desired = newAccount(name, role, passwordHash, ports.clock.now());
  const result = await runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const error = role === 'admin' ? undefined : await checkNotLastAdmin(records, name);
    if (error) return error;
    const current = await records.accounts.insertOrLock(desired);
    if (current === undefined) {
      await emit(accountCreatedEvent(desired));
      return { record: desired, isNew: true };
    }
    const record = { ...desired, createdAt: current.createdAt };
    await records.accounts.update(record);
    await emit({ type: 'account.changed', subject: name, data: { role } });
    return { record, isNew: false };
  });
  ports.invalidateAccount(name);
  return result;
}

/** Keeps the password. Ends the sessions of the account, because they have the previous role. */
export async function changeRole(
  ports: AccountPorts,
  actor: Actor,
  name: RecordName,
  role: Role,
): Promise<Account | AppError> {
  const result = await runUnitOfWork(ports, actor, async ({ records, now, emit }) => {
    const error = role === 'admin' ? undefined : await checkNotLastAdmin(records, name);
    if (error) return error;
    const current = await records.accounts.lock(name);
    if (current === undefined) return invalidBody({ path: '/password', message: 'is required for a new account' });
    if (current.role === role) return current;
    const changed = { ...current, role, revision: newId(), changedAt: now() };
    await records.accounts.update(changed);
    await emit({ type: 'account.changed', subject: name, data: { role } });
    return changed;
  });
  ports.invalidateAccount(name);
  return result;
}

export async function changePassword(
  ports: AccountPorts,
  actor: Actor,
  name: RecordName,
  password: Secret,
): Promise<Account | AppError> {
  const passwordHash = await ports.hasher.hash(password);
  if (passwordHash instanceof AppError) return passwordHash;
  const result = await runUnitOfWork(ports, actor, async ({ records, now, emit }) => {
    const current = await records.accounts.lock(name);
    if (current === undefined) return accountNotFound(name);
    const changed = { ...current, passwordHash, revision: newId(), changedAt: now() };
    await records.accounts.update(changed);
    await emit({ type: 'account.password_changed', subject: name });
    return changed;
  });
  ports.invalidateAccount(name);
  return result;
}

export async function removeAccount(
  ports: AccountPorts,
  actor: Actor,
  name: RecordName,
): Promise<undefined | AppError> {
  const result = await runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const error = await checkNotLastAdmin(records, name);
    if (error) return error;
    if ((await records.accounts.lock(name)) === undefined) return accountNotFound(name);
    await records.accounts.remove(name);
    await emit({ type: 'account.removed', subject: name });
    return undefined;
  });
  ports.invalidateAccount(name);
  return result;
}
