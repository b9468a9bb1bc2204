// Invariants: the store has only the digest of the secret; a repeated request of the same host costs one use.

import { hash } from 'node:crypto';
import { formatCount } from '../../lib/text.ts';
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
  /** Distinguishes the token from other tokens of the same name. */
  readonly id: string;
  readonly secretDigest: string;
  /** The hosts join this cluster; null: none. */
  readonly cluster: RecordName | null;
  /** The token is valid only in this network; null: any. */
  readonly network: Cidr | null;
  readonly uses: number;
  readonly used: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

const SECRET_FORMAT = secretFormat('hst_');

export const formatTokenSecret = SECRET_FORMAT.format;

/** A plain digest is enough: 2²⁵⁶ secrets cannot be enumerated, and a keyed digest would need key rotation. */
export const tokenDigest = (secret: Secret): string | undefined =>
  SECRET_FORMAT.isValid(secret.reveal()) ? hash('sha256', secret.reveal(), 'hex') : undefined;

/** Timestamps sort as text. */
export function tokenState({ uses, used, expiresAt }: EnrolmentToken, now: string): TokenState {
  if (now >= expiresAt) return 'expired';
  return used >= uses ? 'exhausted' : 'active';
}

export interface TokenEnrolmentInput {
  readonly token: EnrolmentToken;
  readonly now: string;
  /** The address of the client: a token cannot enrol another host. */
  readonly address: Address;
  /** From the request body. */
  readonly cluster: RecordName | undefined;
  /** Also true if the token has no cluster. */
  readonly clusterExists: boolean;
  readonly existingHost: { readonly isEnrolledByToken: boolean; readonly hasSameHostKeys: boolean } | undefined;
}

/** `new`: enrols the host and costs one use. `repeat`: this token already enrolled the host. */
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
  // Accepted even if the token is no longer valid: the response to the first request may have been lost.
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
    const detail = `the token ${name} has no uses left (${formatCount(token.uses, 'host')} enrolled); ask an administrator for a new one`;
    return new AppError('token_exhausted', detail);
  }
  if (!input.clusterExists) {
    const detail = `the cluster ${token.cluster} of the token ${name} was removed`;
    return new AppError('token_cluster_removed', `${detail}; ask an administrator for another token`);
  }
  return existingHost ? hostConflict(address, 'without this token') : 'new';
}

const hostConflict = (address: Address, how: string) =>
  new AppError('host_conflict', `the host ${address} is already enrolled ${how}; to enrol it again, remove it first`);
