// How the first admin comes about, and how an admin gets back in: without the API, by whoever runs the service.

import { randomBytes } from 'node:crypto';
import { LOCAL_ACTOR } from '../../domain/actor.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { recordNameOf } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import type { Ports } from '../ports.ts';
import { tell } from '../tell.ts';
import { accountCreated, newAccount, putAccount } from './put-account.ts';

export const FIRST_ADMIN = recordNameOf('admin');

type AccountPorts = Pick<Ports, 'store' | 'clock' | 'hasher' | 'authenticator'>;

/** 144 random bits that can be typed. */
const generatePassword = () => new Secret(randomBytes(18).toString('base64url'));

/**
 * Makes the account `admin` when there is no account at all. Answers its password if it was generated here; of servers that
 * start together, one makes it.
 */
export async function ensureFirstAdmin(
  ports: AccountPorts,
  given: Secret | undefined,
): Promise<Secret | undefined> {
  const { store, clock, hasher } = ports;
  if (!(await store.records.accounts.isEmpty())) return undefined;
  const password = given ?? generatePassword();
  const account = newAccount(FIRST_ADMIN, 'admin', await hasher.hash(password), clock.now());
  const isMade = await store.transaction(async records => {
    const isFirst = (await records.accounts.isEmpty()) && (await records.accounts.insert(account));
    if (isFirst) await tell(records, clock, LOCAL_ACTOR, [accountCreated(account)]);
    return isFirst;
  });
  return isMade === true && given === undefined ? password : undefined;
}

/** Gives an account a new password and the role `admin`, making it when it is not there. Answers the password. */
export async function resetAdminPassword(ports: AccountPorts, name: RecordName): Promise<Secret | Refusal> {
  const password = generatePassword();
  const result = await putAccount(ports, LOCAL_ACTOR, { name, password, role: 'admin' });
  return 'record' in result ? password : result;
}
