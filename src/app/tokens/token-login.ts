import { RESERVED_ACCOUNT_NAME } from '../../domain/accounts/account.ts';
import { tokenDigest } from '../../domain/accounts/enrolment-token.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Store } from '../../store/store.ts';
import type { Login } from '../accounts/login.ts';

export const TOKEN_ACCOUNT = toRecordName(RESERVED_ACCOUNT_NAME);

/**
 * Whom a token's secret lets in; `undefined`: nobody. It is looked up each time, so one that was removed counts no more. Whether it may
 * still be used is for the enrolment to say: what it has let in already may ask again.
 */
export async function tokenLogin(store: Store, secret: Secret): Promise<Login | undefined> {
  const digest = tokenDigest(secret);
  const token = digest === undefined ? undefined : await store.reads.enrolmentTokens.withDigest(digest);
  return token && { account: TOKEN_ACCOUNT, role: 'enrol', token: { id: token.id, name: token.name } };
}
