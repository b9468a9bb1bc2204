import type { Address } from '../../../../../src/domain/addresses/address.ts';
import type { SimulatedHost } from '../../../../../src/simulator/simulated-host.ts';
import type { PlannedRow, State } from '../stored-state.ts';
import type { UndisturbedTime } from '../undisturbed-time.ts';

/** What the server has acknowledged to clients, and what clients do at this moment. */
export class PromisedState {
  /** Operations that were acknowledged. */
  readonly operations = new Set<string>();
  readonly pausedByHand = new Set<string>();
  readonly cancelled = new Set<string>();
  /** `OPERATION HOST`. */
  readonly skipped = new Set<string>();
  /** Hosts that a client asked to skip or to exclude: `OPERATION HOST`. */
  readonly ignorable = new Set<string>();
  /** Failed hosts that a person accepted, by operation. */
  readonly acceptedFailures = new Map<string, ReadonlySet<Address>>();
  isHeld = false;
  /** A person has resumed an operation that was paused by a partition: silent hosts count as down. */
  isPartitionOverruled = false;
  /** Until then the container manager did not answer. */
  managerAwayUntilMs = 0;
  /** A client retries hosts at this moment. */
  isRetrying = false;
  /** An administrator cordons or uncordons a node at this moment. */
  isCordoning = false;
  /** The operation whose failures a client accepts at this moment. */
  accepting: string | undefined;
}

/** A host whose row in a plan has changed. */
export interface Moved {
  readonly was: PlannedRow;
  readonly is: PlannedRow;
}

/** The stored state before and after one commit. */
export interface Commit {
  readonly before: State;
  readonly after: State;
  readonly moved: readonly Moved[];
  readonly promises: PromisedState;
  readonly time: UndisturbedTime;
  machineAt(address: Address): SimulatedHost;
}

/** Must hold at every commit; returns the violation, if any. */
export type Invariant = (commit: Commit) => string | undefined;

const keyOf = ({ operation, host }: PlannedRow) => `${operation} ${host}`;

export function movedBetween(before: State, after: State): readonly Moved[] {
  const known = new Map(before.planned.map(row => [keyOf(row), row]));
  return after.planned.flatMap(is => {
    const was = known.get(keyOf(is));
    return was && (was.phases_json !== is.phases_json || was.attempt !== is.attempt || was.phase !== is.phase)
      ? [{ was, is }]
      : [];
  });
}

export const listed = (hosts: Iterable<Address>): string => [...hosts].join(', ');
