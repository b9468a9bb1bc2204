import type { Address } from '../address.ts';
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
  new Set([...inFlight, ...keeping, ...down]);

/** How many hosts may have failed. */
export const failuresAllowed = ({ operation }: Pick<Snapshot, 'operation'>): number =>
  amountOf(operation.policy.maxFailures, operation.planned, { atLeast: 0 }) + operation.forgivenFailures;
