import { createHash } from 'node:crypto';
import type { Address } from '../addresses/address.ts';

export const SLOTS_PER_INTERVAL = 10_000;

/** The position of a host in the check interval. Hosts are spread evenly, and all servers compute the same slot. */
export const slotOf = (host: Address): number =>
  createHash('sha256').update(host).digest().readUInt32BE(0) % SLOTS_PER_INTERVAL;

/** Exclusive right of a server to work on a host. Every write checks the fence; a higher fence wins. */
export interface Claim {
  readonly host: Address;
  readonly fence: number;
  /** Number of consecutive failed checks. */
  readonly failures: number;
  /** Whether the next check must also read the facts. */
  readonly isFactsDue: boolean;
}

/**
 * The changes that are saved when a claim is released. Times are of the clock of the store; missing fields do not
 * change.
 */
export interface ClaimRelease {
  /** null: no task is left. */
  readonly taskDueAt?: number | null;
  /** `unchanged`: a host that has no check yet gets one at its next slot. */
  readonly check: 'none' | 'unchanged' | 'next_slot' | { readonly at: number };
  readonly failures?: number;
  readonly factsDueAt?: number;
  /** The result of the last contact; missing: there was none, or it is not conclusive. */
  readonly contact?: ContactResult;
}

export type ContactResult = 'answered' | 'failed';

/** The queue of one kind, tasks or health checks. */
export interface HostQueueLoad {
  /** Number of unclaimed due hosts; the count has an upper limit. */
  readonly due: number;
  /** Due time of the first of them. */
  readonly dueSinceMs: number | null;
  /** How many of them have been due for longer than the grace period. */
  readonly overdue: number;
  /** Hosts claimed by all servers, including this one. */
  readonly claimed: number;
  readonly ownClaims: number;
}

export interface ServerCapacity {
  /** Number of live servers, including this one. */
  readonly servers: number;
  /** How many more hosts this server can claim. */
  readonly capacity: number;
  readonly nowMs: number;
}

export interface ClaimQuota {
  /** How many hosts to claim now. */
  readonly count: number;
  /** When to check the hosts left to other servers; 0: none were left. */
  readonly recheckInMs: number;
}

/** How long a server leaves due hosts to other servers. */
export const FAIRNESS_GRACE_MS = 300;

/**
 * Limits how many due hosts a server claims, so that the load is even across servers. Any server with capacity may
 * claim hosts that are unclaimed after the grace period, so a full, frozen or dead server delays no host longer than
 * that.
 */
export function fairQuota(load: HostQueueLoad, { servers, capacity, nowMs }: ServerCapacity): ClaimQuota {
  const { due, dueSinceMs, overdue, claimed, ownClaims } = load;
  const quota = Math.ceil((claimed + due) / servers) - ownClaims;
  const count = Math.max(0, Math.min(capacity, due, Math.max(quota, overdue)));
  const leavesSome = count < due && count < capacity;
  return { count, recheckInMs: leavesSome ? Math.max(0, (dueSinceMs ?? nowMs) + FAIRNESS_GRACE_MS - nowMs) : 0 };
}
