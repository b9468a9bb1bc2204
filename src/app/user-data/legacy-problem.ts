import { AppError, invalidBody } from '../../domain/errors.ts';
import { isRecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { SIGNED_IN } from '../accounts/password-hasher.ts';
import type { Ports } from '../ports.ts';

/** The account that hosts enrol themselves with in the old way. */
export interface LegacyLogin {
  readonly account: string;
  readonly password: Secret;
}

/** Better here than on every host that boots: whether the account is there, may enrol hosts and has this password. */
export async function legacyProblem(
  { store, hasher }: Pick<Ports, 'store' | 'hasher'>,
  { account: name, password }: LegacyLogin,
): Promise<AppError | undefined> {
  const account = isRecordName(name) ? await store.reads.accounts.get(name) : undefined;
  if (account === undefined)
    return invalidBody({ path: '/legacy/account', message: 'must be the name of an existing account' });
  if (account.role === 'viewer')
    return invalidBody({
      path: '/legacy/account',
      message: 'must have a role that can enrol hosts, preferably enrol',
    });
  // The script tells it to curl, or to python3, as a line.
  if (/\p{Cc}/u.test(password.reveal()))
    return invalidBody({ path: '/legacy/password', message: 'must be one line without control characters' });
  const isRight = await hasher.verify(account.passwordHash, password, SIGNED_IN);
  if (isRight instanceof AppError) return isRight;
  return isRight
    ? undefined
    : invalidBody({ path: '/legacy/password', message: 'is not the password of the account' });
}
