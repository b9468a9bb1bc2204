import { randomBytes } from 'node:crypto';
import type { Actor } from '../../domain/accounts/account.ts';
import type { EnrolmentToken } from '../../domain/accounts/enrolment-token.ts';
import { formatTokenSecret, tokenDigest, tokenState } from '../../domain/accounts/enrolment-token.ts';
import { SECRET_BYTES } from '../../domain/accounts/login-session.ts';
import { parseCidr } from '../../domain/addresses/cidr.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { formatTimestamp, parseTimestamp } from '../../domain/timestamp.ts';
import { newId } from '../../lib/new-id.ts';
import { change } from '../change.ts';
import { unknownClusterNamed } from '../clusters/read-clusters.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import type { ReadableToken } from './read-tokens.ts';

/** For how long, for how many and from where it is good. */
export interface TokenLimits {
  /** From where it may be used, as a network with its prefix; `''`: from anywhere. */
  readonly cidr: string;
  /** How many hosts may enrol by it. */
  readonly uses: number;
  readonly expiresInS: number;
}

export interface TokenRequest extends TokenLimits {
  readonly name: RecordName;
  /** Which hosts join; null: none. */
  readonly cluster: RecordName | null;
}

export interface PutToken extends PutResult<ReadableToken> {
  /** Only when it was made: nobody can tell it later. */
  readonly secret?: Secret;
}

const lifetimeMs = ({ createdAt, expiresAt }: EnrolmentToken) =>
  parseTimestamp(expiresAt) - parseTimestamp(createdAt);

const haveSameSettings = (one: EnrolmentToken, other: EnrolmentToken): boolean =>
  one.cluster === other.cluster &&
  one.network === other.network &&
  one.uses === other.uses &&
  lifetimeMs(one) === lifetimeMs(other);

/** Makes an enrolment token, or finds it there with the same settings. */
export async function createToken(
  ports: Pick<Ports, 'store' | 'clock'>,
  actor: Actor,
  { name, cluster, cidr, uses, expiresInS }: TokenRequest,
): Promise<PutToken | AppError> {
  const network = cidr === '' ? null : parseCidr(cidr);
  if (network !== null && typeof network === 'object')
    return invalidBody({ path: '/cidr', message: network.problem });
  const secret = new Secret(formatTokenSecret(randomBytes(SECRET_BYTES)));
  const secretDigest = tokenDigest(secret);
  if (secretDigest === undefined) throw new Error('invalid token secret');

  return change(ports, actor, async ({ records, tell }) => {
    // By the clock of the store: whichever server is asked later, it has expired for all at the same time.
    const nowMs = await records.nowMs();
    const [now, expiresAt] = [formatTimestamp(nowMs), formatTimestamp(nowMs + expiresInS * 1000)];
    const wanted: EnrolmentToken = {
      ...{ name, id: newId(), secretDigest, cluster, network, uses, used: 0, createdAt: now, expiresAt },
    };
    const current = await records.enrolmentTokens.insertOrLock(wanted);
    if (current) {
      if (haveSameSettings(current, wanted))
        return { record: { token: current, state: tokenState(current, now) }, isNew: false };
      const detail = `the token ${name} exists with different settings; remove it first, or choose another name`;
      return new AppError('token_exists', detail);
    }
    if (cluster !== null && (await records.clusters.lock(cluster)) === undefined)
      return unknownClusterNamed(cluster);
    const data = { cluster: cluster ?? '', cidr: network ?? '', uses, expires_at: expiresAt };
    await tell({ type: 'token.created', subject: name, cluster, data });
    return { record: { token: wanted, state: tokenState(wanted, now) }, isNew: true, secret };
  });
}
