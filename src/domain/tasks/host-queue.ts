import { createHash } from 'node:crypto';
import type { Address } from '../addresses/address.ts';

/** A phase is a place in the interval between two checks, in these. */
export const SLOTS_PER_INTERVAL = 10_000;

/** Where in the interval a host is checked: hosts are spread evenly, and each has the same place on every server. */
export const slotOf = (host: Address): number =>
  createHash('sha256').update(host).digest().readUInt32BE(0) % SLOTS_PER_INTERVAL;

/** A host that a server has to itself. Whoever writes about the host shows it, and loses to one with a higher fence. */
export interface Claim {
  readonly host: Address;
  readonly fence: number;
  /** Checks that failed one after the other. */
  readonly failures: number;
  /** Whether the next check should ask for the facts. */
  readonly isFactsDue: boolean;
}

/** What a claim is given up with. Times are the store's; what is not given stays as it is. */
export interface ClaimRelease {
  /** null: no work is left. */
  readonly taskDueAt?: number | null;
  /** `as it was`: where it is not watched yet, from the next slot on. */
  readonly check: 'none' | 'unchanged' | 'next_slot' | { readonly at: number };
  readonly failures?: number;
  readonly factsDueAt?: number;
  /** How the last contact with the host ended; left out: there was none, or it says nothing about the host. */
  readonly contact?: ContactResult;
}

export type ContactResult = 'answered' | 'failed';

/** Hosts that are due, and who is at them, of one kind: work or checks. */
export interface HostQueueLoad {
  /** Those that nobody has; counted as far as it matters. */
  readonly due: number;
  /** Since when the first of them is. */
  readonly dueSinceMs: number | null;
  /** How many of them have been due for longer than the grace. */
  readonly overdue: number;
  /** Those that servers have, and this one among them. */
  readonly claimed: number;
  readonly ownClaims: number;
}

export interface ServerCapacity {
  /** How many servers are alive, this one among them. */
  readonly servers: number;
  /** How many more hosts this one can take. */
  readonly capacity: number;
  readonly nowMs: number;
}

export interface ClaimQuota {
  /** How many to take now. */
  readonly count: number;
  /** In how long to look after what was left to others; 0: nothing was. */
  readonly recheckInMs: number;
}

/** What a server leaves to the others, it leaves for so long. */
export const FAIRNESS_GRACE_MS = 300;

/**
 * How many of the hosts that are due a server takes, so that all servers have as many, and not whoever looks first has them all. What
 * nobody has taken within the grace is for whoever has room: a server that is full, frozen or dead holds up no host for longer.
 */
export function fairQuota(load: HostQueueLoad, { servers, capacity, nowMs }: ServerCapacity): ClaimQuota {
  const { due, dueSinceMs, overdue, claimed, ownClaims } = load;
  const quota = Math.ceil((claimed + due) / servers) - ownClaims;
  const count = Math.max(0, Math.min(capacity, due, Math.max(quota, overdue)));
  const leavesSome = count < due && count < capacity;
  return {
    count,
    recheckInMs: leavesSome ? Math.max(0, (dueSinceMs ?? nowMs) + FAIRNESS_GRACE_MS - nowMs) : 0,
  };
}
