import { randomBytes } from 'node:crypto';
import type { Actor } from '../../domain/accounts/account.ts';
import type { EnrolmentToken } from '../../domain/accounts/enrolment-token.ts';
import {
  checkTokenEnrolment,
  formatTokenSecret,
  tokenDigest,
  tokenState,
} from '../../domain/accounts/enrolment-token.ts';
import { SECRET_BYTES } from '../../domain/accounts/login-session.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { parseCidr } from '../../domain/addresses/cidr.ts';
import { AppError } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { formatTimestamp, parseTimestamp } from '../../domain/timestamp.ts';
import type { TokenState } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/random.ts';
import { referencedClusterNotFound } from '../clusters/read-clusters.ts';
import { listRecords } from '../pagination.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../unit-of-work.ts';
import { runUnitOfWork } from '../unit-of-work.ts';

export interface TokenDetails {
  readonly token: EnrolmentToken;
  readonly state: TokenState;
}

export const tokenNotFound = (name: RecordName) => new AppError('not_found', `the token ${name} does not exist`);

export async function listTokens({ store }: Ports, page: PageRequest<RecordName>): Promise<Page<TokenDetails>> {
  const now = formatTimestamp(await store.reads.nowMs());
  const { items, hasMore } = await listRecords(
    store,
    page,
    (reads, batch) => reads.enrolmentTokens.list(batch),
    token => token.name,
  );
  return { items: items.map(token => ({ token, state: tokenState(token, now) })), hasMore };
}

export async function getToken({ store }: Ports, name: RecordName): Promise<TokenDetails | AppError> {
  const token = await store.reads.enrolmentTokens.get(name);
  if (token === undefined) return tokenNotFound(name);
  return { token, state: tokenState(token, formatTimestamp(await store.reads.nowMs())) };
}

export interface TokenLimits {
  /** CIDR notation. Empty: any network. */
  readonly cidr: string;
  readonly uses: number;
  readonly expiresInS: number;
}

export interface CreateTokenRequest extends TokenLimits {
  readonly name: RecordName;
  readonly cluster: RecordName | null;
}

export interface CreateTokenResult extends PutResult<TokenDetails> {
  /** Only for a new token. The store keeps only a digest. */
  readonly secret?: Secret;
}

const lifetimeMs = ({ createdAt, expiresAt }: EnrolmentToken) => parseTimestamp(expiresAt) - parseTimestamp(createdAt);

const hasSameSettings = (left: EnrolmentToken, right: EnrolmentToken): boolean =>
  left.cluster === right.cluster &&
  left.network === right.network &&
  left.uses === right.uses &&
  lifetimeMs(left) === lifetimeMs(right);

/** Returns the existing token if it has the same settings. */
export async function createToken(
  ports: Pick<Ports, 'store' | 'clock'>,
  actor: Actor,
  { name, cluster, cidr, uses, expiresInS }: CreateTokenRequest,
): Promise<CreateTokenResult | AppError> {
  const network = cidr === '' ? null : parseCidr(cidr);
  if (network instanceof AppError) return network;
  const secret = new Secret(formatTokenSecret(randomBytes(SECRET_BYTES)));
  const secretDigest = tokenDigest(secret);
  if (secretDigest === undefined) throw new Error('invalid token secret');

  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    // The clock of the store, so the token expires at the same time for all servers.
    const nowMs = await records.nowMs();
    const [now, expiresAt] = [formatTimestamp(nowMs), formatTimestamp(nowMs + expiresInS * 1000)];
    const desired: EnrolmentToken = {
      name,
      id: newId(),
      secretDigest,
      cluster,
      network,
      uses,
      used: 0,
      createdAt: now,
      expiresAt,
    };
    const current = await records.enrolmentTokens.insertOrLock(desired);
    if (current) {
      if (hasSameSettings(current, desired))
        return { record: { token: current, state: tokenState(current, now) }, isNew: false };
      const detail = `the token ${name} exists with different settings; remove it first, or choose another name`;
      return new AppError('token_exists', detail);
    }
    if (cluster !== null && (await records.clusters.lock(cluster)) === undefined)
      return referencedClusterNotFound(cluster);
    const data = { cluster: cluster ?? '', cidr: network ?? '', uses, expires_at: expiresAt };
    await emit({ type: 'token.created', subject: name, cluster, data });
    return { record: { token: desired, state: tokenState(desired, now) }, isNew: true, secret };
  });
}

/** Hosts that enrolled with the token stay enrolled. */
export async function removeToken(ports: Ports, actor: Actor, name: RecordName): Promise<undefined | AppError> {
  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const token = await records.enrolmentTokens.lock(name);
    if (token === undefined) return tokenNotFound(name);
    await records.enrolmentTokens.remove(name);
    await emit({ type: 'token.removed', subject: name, cluster: token.cluster });
    return undefined;
  });
}

/**
 * Runs before the server reads the request body; the enrolment checks again in its transaction, with the body. A host
 * that enrolled with this token may repeat the request.
 */
export async function checkTokenUsable(
  { store }: Pick<Ports, 'store'>,
  { token: tokenReference, address: addressText }: Actor,
): Promise<AppError | undefined> {
  const address = parseAddress(addressText);
  if (tokenReference === undefined || address === undefined) return undefined;
  const token = await store.reads.enrolmentTokens.get(tokenReference.name);
  if (token?.id !== tokenReference.id) return undefined;
  const now = formatTimestamp(await store.reads.nowMs());
  const input = { token, now, address, cluster: undefined, clusterExists: true, existingHost: undefined };
  const result = checkTokenEnrolment(input);
  if (!(result instanceof AppError)) return undefined;
  const isEnrolledByToken = (await store.reads.hostAccess.get(address))?.enrolledByToken === tokenReference.id;
  return isEnrolledByToken ? undefined : result;
}
