import { createHash } from 'node:crypto';
import type { Address } from '../addresses/address.ts';

/** A phase is a place in the interval between two checks, in these. */
export const PHASES = 10_000;

/** Where in the interval a host is checked: hosts are spread evenly, and each has the same place on every server. */
export const phaseOf = (host: Address): number =>
  createHash('sha256').update(host).digest().readUInt32BE(0) % PHASES;

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
export interface Release {
  /** null: no work is left. */
  readonly workDueAt?: number | null;
  /** `as it was`: where it is not watched yet, from the next slot on. */
  readonly check: 'unwatched' | 'as it was' | 'next slot' | { readonly at: number };
  readonly failures?: number;
  readonly factsDueAt?: number;
  /** How the last contact with the host ended; left out: there was none, or it says nothing about the host. */
  readonly contact?: ContactResult;
}

export type ContactResult = 'answered' | 'failed';
