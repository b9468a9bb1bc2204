import type { Actor } from '../../domain/accounts/account.ts';
import { checkTokenEnrolment } from '../../domain/accounts/enrolment-token.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Ports } from '../ports.ts';

/**
 * Why the token of a caller lets no new host in, known before the body of the request is read; `undefined`: it may. A host that the token has enrolled
 * may always ask again. The enrolment judges again, in its transaction and with the body.
 */
export async function unusableToken(
  { store }: Pick<Ports, 'store'>,
  { token: used, address: text }: Actor,
): Promise<AppError | undefined> {
  const address = parseAddress(text);
  if (used === undefined || address === undefined) return undefined;
  const token = await store.reads.enrolmentTokens.get(used.name);
  if (token?.id !== used.id) return undefined;
  const now = formatTimestamp(await store.reads.nowMs());
  const attempt = { token, now, address, cluster: undefined, clusterExists: true, existingHost: undefined };
  const verdict = checkTokenEnrolment(attempt);
  if (!(verdict instanceof AppError)) return undefined;
  const isKnown = (await store.reads.hostAccess.get(address))?.enrolledByToken === used.id;
  return isKnown ? undefined : verdict;
}
