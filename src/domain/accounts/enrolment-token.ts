// An enrolment token lets hosts enrol themselves: so many, until then, from one network, into one cluster. What must hold: its secret is
// nowhere but with whoever was given it; a host that asks twice costs one use; and whoever is refused learns why.

import { hash } from 'node:crypto';
import { pluralize } from '../../lib/text.ts';
import type { Address } from '../addresses/address.ts';
import type { Cidr } from '../addresses/cidr.ts';
import { isInCidr } from '../addresses/cidr.ts';
import { AppError } from '../errors.ts';
import type { RecordName } from '../record-name.ts';
import type { Secret } from '../secret.ts';
import { utcTime } from '../timestamp.ts';
import type { TokenState } from '../vocabulary.ts';
import { secretFormat } from './login-session.ts';

export interface EnrolmentToken {
  readonly name: RecordName;
  /** Tells it from an earlier or later one of the same name. */
  readonly id: string;
  readonly secretDigest: string;
  /** Which hosts join; null: none. */
  readonly cluster: RecordName | null;
  /** From where it may be used; null: from anywhere. */
  readonly network: Cidr | null;
  readonly uses: number;
  readonly used: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

const SECRET_FORMAT = secretFormat('hst_');

export const formatTokenSecret = SECRET_FORMAT.format;

/**
 * By which a token is found; `undefined` for what is no secret of a token. A plain digest will do: nobody can try out 2²⁵⁶ secrets, and
 * a key would have to be rotated.
 */
export const tokenDigest = (secret: Secret): string | undefined =>
  SECRET_FORMAT.isValid(secret.reveal()) ? hash('sha256', secret.reveal(), 'hex') : undefined;

/** Times are texts that sort by time. */
export function tokenState({ uses, used, expiresAt }: EnrolmentToken, now: string): TokenState {
  if (now >= expiresAt) return 'expired';
  return used >= uses ? 'exhausted' : 'active';
}

/** Somebody with the secret asks to be enrolled. */
export interface TokenEnrolmentInput {
  readonly token: EnrolmentToken;
  readonly now: string;
  /** Whose address it is: nobody enrols another by a token. */
  readonly address: Address;
  /** What the body names; `undefined`: nothing. */
  readonly cluster: RecordName | undefined;
  /** Whether the cluster of the token is there, if it has one. */
  readonly clusterExists: boolean;
  /** The host that is known at this address; `undefined`: none. */
  readonly existingHost:
    | { readonly isEnrolledByToken: boolean; readonly hasSameHostKeys: boolean }
    | undefined;
}

/** `new`: it is enrolled, and that is one use. `repeat`: it was already, by this token. */
export function checkTokenEnrolment(input: TokenEnrolmentInput): 'new' | 'repeat' | AppError {
  const { token, address, cluster, existingHost } = input;
  const { name } = token;
  if (cluster !== undefined && cluster !== token.cluster) {
    const target = token.cluster === null ? 'no cluster' : `the cluster ${token.cluster}`;
    return new AppError(
      'token_cluster_mismatch',
      `the token ${name} is for ${target}, not for the cluster ${cluster}; omit cluster`,
    );
  }
  // Whether the token is still good does not matter: the answer to the first request may have been lost.
  if (existingHost?.isEnrolledByToken)
    return existingHost.hasSameHostKeys ? 'repeat' : hostConflict(address, 'with different host keys');
  if (token.network !== null && !isInCidr(address, token.network)) {
    const detail = `the token ${name} is valid only in the network ${token.network}, but the host connects from ${address}`;
    return new AppError('token_network_mismatch', detail);
  }
  const state = tokenState(token, input.now);
  if (state === 'expired') {
    const detail = `the token ${name} expired at ${utcTime(token.expiresAt)}; ask an administrator for a new one`;
    return new AppError('token_expired', detail);
  }
  if (state === 'exhausted') {
    const detail = `the token ${name} has no uses left (${pluralize(token.uses, 'host')} enrolled); ask an administrator for a new one`;
    return new AppError('token_exhausted', detail);
  }
  if (!input.clusterExists) {
    const detail = `the cluster ${token.cluster} of the token ${name} was removed`;
    return new AppError('token_cluster_removed', `${detail}; ask an administrator for another token`);
  }
  return existingHost ? hostConflict(address, 'without this token') : 'new';
}

const hostConflict = (address: Address, how: string) =>
  new AppError(
    'host_conflict',
    `the host ${address} is already enrolled ${how}; to enrol it again, remove it first`,
  );
