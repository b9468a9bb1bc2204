import { randomBytes } from 'node:crypto';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { AccountPorts } from './manage-accounts.ts';
import { accountCreatedEvent, newAccount, putAccount } from './manage-accounts.ts';

const FIRST_ADMIN = toRecordName('admin');

/** 144 bits of entropy. */
const generatePassword = () => new Secret(randomBytes(18).toString('base64url'));

/** Returns the password if it was generated. If several servers start together, only one creates the account. */
export async function ensureFirstAdmin(
  ports: AccountPorts,
  configuredPassword: Secret | undefined,
): Promise<Secret | undefined> {
  if (!(await ports.store.reads.accounts.isEmpty())) return undefined;
  const password = configuredPassword ?? generatePassword();
  const passwordHash = await ports.hasher.hash(password);
  if (passwordHash instanceof AppError) throw new Error(passwordHash.detail);
  const account = newAccount(FIRST_ADMIN, 'admin', passwordHash, ports.clock.now());
  const isCreated = await runUnitOfWork(ports, LOCAL_ACTOR, async ({ records, emit }) => {
    const isFirst = (await records.accounts.isEmpty()) && (await records.accounts.insertOrLock(account)) === undefined;
    if (isFirst) await emit(accountCreatedEvent(account));
    return isFirst;
  });
  return isCreated && configuredPassword === undefined ? password : undefined;
}

export async function resetAdminPassword(ports: AccountPorts, name: RecordName): Promise<Secret | AppError> {
  const password = generatePassword();
  const result = await putAccount(ports, LOCAL_ACTOR, { name, password, role: 'admin' });
  return result instanceof AppError ? result : password;
}
