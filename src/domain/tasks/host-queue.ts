import { createHash } from 'node:crypto';
import type { Address } from '../addresses/address.ts';

export const OFFSETS_PER_INTERVAL = 10_000;

/** Spreads hosts evenly over the check interval; all servers compute the same offset. */
export const checkOffsetOf = (host: Address): number =>
  createHash('sha256').update(host).digest().readUInt32BE(0) % OFFSETS_PER_INTERVAL;

/** Every write checks the fence; a higher fence wins. */
export interface Claim {
  readonly host: Address;
  readonly fence: number;
  /** Consecutive failed checks. */
  readonly failures: number;
  readonly isFactsDue: boolean;
}

/** Times are of the clock of the store; missing fields do not change. */
export interface ClaimRelease {
  /** null: no task is left. */
  readonly taskDueAt?: number | null;
  /** `unchanged`: a host that has no check yet gets one in the next interval. */
  readonly nextCheck: 'none' | 'unchanged' | 'next_interval' | { readonly at: number };
  readonly failures?: number;
  readonly factsDueAt?: number;
  /** Missing: there was no contact, or it is not conclusive. */
  readonly contact?: ContactResult;
  /** 0 if missing. */
  readonly contactAgeMs?: number;
}

export type ContactResult = 'responded' | 'failed';

/** The load of one queue: tasks or health checks. */
export interface HostQueueLoad {
  /** Unclaimed due hosts; the count has an upper limit. */
  readonly due: number;
  readonly dueSinceMs: number | null;
  /** Due for longer than the grace period. */
  readonly overdue: number;
  /** By all servers, including this one. */
  readonly claimed: number;
  readonly ownClaims: number;
}

export interface ServerCapacity {
  /** Live servers, including this one. */
  readonly servers: number;
  /** How many more hosts the server can claim. */
  readonly capacity: number;
  readonly nowMs: number;
}

export interface ClaimQuota {
  readonly count: number;
  /** For the hosts left to other servers; 0: none. */
  readonly recheckInMs: number;
}

/** How long a server leaves due hosts to other servers. */
export const FAIRNESS_GRACE_MS = 300;

/**
 * Spreads the load evenly. Any server with capacity may claim hosts that are unclaimed after the grace period, so a
 * full, frozen or dead server delays no host longer than that.
 */
export function fairQuota(load: HostQueueLoad, { servers, capacity, nowMs }: ServerCapacity): ClaimQuota {
  const { due, dueSinceMs, overdue, claimed, ownClaims } = load;
  const quota = Math.ceil((claimed + due) / servers) - ownClaims;
  const count = Math.max(0, Math.min(capacity, due, Math.max(quota, overdue)));
  const leavesSome = count < due && count < capacity;
  return { count, recheckInMs: leavesSome ? Math.max(0, (dueSinceMs ?? nowMs) + FAIRNESS_GRACE_MS - nowMs) : 0 };
}
