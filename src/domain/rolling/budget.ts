import type { Address } from '../addresses/address.ts';
import { amountOf } from './policy.ts';
import type { Snapshot } from './snapshot.ts';

/** 1, 2, 4, …: it doubles when as many as it allows have been proved. */
const rampWidth = (proved: number): number => 2 ** Math.floor(Math.log2(proved + 1));

/** How many hosts may be out of service at once. */
export function widthOf({
  operation,
  members,
  proved,
}: Pick<Snapshot, 'operation' | 'members' | 'proved'>): number {
  const { maxUnavailable, ramp } = operation.policy;
  const width = amountOf(maxUnavailable, members, { atLeast: 1 });
  return ramp ? Math.min(width, rampWidth(proved)) : width;
}

/** Hosts that are out of service, by us or by themselves, each once. */
export const outOfService = ({
  inFlight,
  keeping,
  down,
}: Pick<Snapshot, 'inFlight' | 'keeping' | 'down'>): ReadonlySet<Address> =>
  new Set([...inFlight, ...keeping, ...down.map(({ host }) => host)]);

/** How many hosts may have failed before no further host is started. */
export const failuresAllowed = ({ operation }: Pick<Snapshot, 'operation'>): number =>
  amountOf(operation.policy.maxFailures, operation.planned, { atLeast: 0 }) + operation.forgivenFailures;

/** How many hosts may have failed in an operation that is finished. A retry starts hosts despite failures, and accepts none of them. */
export const failuresAccepted = ({ operation }: Pick<Snapshot, 'operation'>): number =>
  amountOf(operation.policy.maxFailures, operation.planned, { atLeast: 0 }) + operation.acceptedFailures;

/** What of the policy's amounts is used. */
export interface Budget {
  readonly maxUnavailable: number;
  readonly unavailable: number;
  readonly maxFailures: number;
  readonly failed: number;
}

export type BudgetUse = Pick<
  Snapshot,
  'operation' | 'members' | 'proved' | 'inFlight' | 'keeping' | 'down' | 'failed'
>;

/** The amounts as the rule has them at this moment, and what it counts. */
export const budgetOf = (use: BudgetUse): Budget => ({
  maxUnavailable: widthOf(use),
  unavailable: outOfService(use).size,
  maxFailures: failuresAllowed(use),
  failed: use.failed.length,
});
