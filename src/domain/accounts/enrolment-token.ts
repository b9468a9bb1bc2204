// An enrolment token lets hosts enrol themselves: so many, until then, from one network, into one cluster. What must hold: its secret is
// nowhere but with whoever was given it; a host that asks twice costs one use; and whoever is refused learns why.

import { hash } from 'node:crypto';
import { plural } from '../../lib/text/plural.ts';
import type { Address } from '../addresses/address.ts';
import type { NetworkRange } from '../addresses/network-range.ts';
import { isInRange } from '../addresses/network-range.ts';
import { Refusal } from '../errors.ts';
import type { RecordName } from '../record-name.ts';
import type { Secret } from '../secret.ts';
import { utcTime } from '../timestamp.ts';
import type { TokenState } from '../vocabulary.ts';
import { secretForm } from './secret-form.ts';

export interface EnrolmentToken {
  readonly name: RecordName;
  /** Tells it from an earlier or later one of the same name. */
  readonly id: string;
  readonly secretDigest: string;
  /** Which hosts join; null: none. */
  readonly cluster: RecordName | null;
  /** From where it may be used; null: from anywhere. */
  readonly network: NetworkRange | null;
  readonly uses: number;
  readonly used: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

const SECRET = secretForm('hst_');

export const tokenSecretText = SECRET.textOf;

/**
 * By which a token is found; `undefined` for what is no secret of a token. A plain digest will do: nobody can try out 2²⁵⁶ secrets, and
 * a key would have to be rotated.
 */
export const tokenDigest = (secret: Secret): string | undefined =>
  SECRET.isKept(secret.reveal()) ? hash('sha256', secret.reveal(), 'hex') : undefined;

/** Times are texts that sort by time. */
export function tokenState({ uses, used, expiresAt }: EnrolmentToken, now: string): TokenState {
  if (now >= expiresAt) return 'expired';
  return used >= uses ? 'exhausted' : 'active';
}

/** Somebody with the secret asks to be enrolled. */
export interface EnrolmentAttempt {
  readonly token: EnrolmentToken;
  readonly now: string;
  /** Whose address it is: nobody enrols another by a token. */
  readonly address: Address;
  /** What the body names; `undefined`: nothing. */
  readonly cluster: RecordName | undefined;
  /** Whether the cluster of the token is there, if it has one. */
  readonly hasCluster: boolean;
  /** The host that is known at this address; `undefined`: none. */
  readonly known: { readonly isByToken: boolean; readonly hasHostKeys: boolean } | undefined;
}

/** `new`: it is enrolled, and that is one use. `repeat`: it was already, by this token. */
export function judgeEnrolment(attempt: EnrolmentAttempt): 'new' | 'repeat' | Refusal {
  const { token, address, cluster, known } = attempt;
  const { name } = token;
  if (cluster !== undefined && cluster !== token.cluster) {
    const own = token.cluster === null ? 'no cluster' : `the cluster ${token.cluster}`;
    return new Refusal(
      'token_cluster_mismatch',
      `the token ${name} is for ${own}, not for the cluster ${cluster}; omit cluster`,
    );
  }
  // Whether the token is still good does not matter: the answer to the first request may have been lost.
  if (known?.isByToken)
    return known.hasHostKeys ? 'repeat' : knownOtherwise(address, 'with different host keys');
  if (token.network !== null && !isInRange(address, token.network)) {
    const where = `the token ${name} is valid only in the network ${token.network}, but the host connects from ${address}`;
    return new Refusal('token_network_mismatch', where);
  }
  const state = tokenState(token, attempt.now);
  if (state === 'expired') {
    const when = `the token ${name} expired at ${utcTime(token.expiresAt)}; ask an administrator for a new one`;
    return new Refusal('token_expired', when);
  }
  if (state === 'exhausted') {
    const why = `the token ${name} has no uses left (${plural(token.uses, 'host')} enrolled); ask an administrator for a new one`;
    return new Refusal('token_exhausted', why);
  }
  if (!attempt.hasCluster) {
    const why = `the cluster ${token.cluster} of the token ${name} was removed`;
    return new Refusal('token_cluster_removed', `${why}; ask an administrator for another token`);
  }
  return known ? knownOtherwise(address, 'without this token') : 'new';
}

const knownOtherwise = (address: Address, how: string) =>
  new Refusal(
    'host_conflict',
    `the host ${address} is already enrolled ${how}; to enrol it again, remove it first`,
  );
