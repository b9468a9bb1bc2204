import type { Address } from '../../../../../src/domain/addresses/address.ts';
import type { SimulatedHost } from '../../../../../src/simulator/simulated-host.ts';
import type { PlannedRow, State } from '../stored-state.ts';
import type { UndisturbedTime } from '../undisturbed-time.ts';

/** Requests that the server has acknowledged, and requests that are currently running. */
export class AcknowledgedRequests {
  readonly operations = new Set<string>();
  readonly pausedByHand = new Set<string>();
  readonly cancelled = new Set<string>();
  /** `OPERATION HOST`. */
  readonly skipped = new Set<string>();
  /** Hosts that a client asked to skip or to exclude: `OPERATION HOST`. */
  readonly ignorable = new Set<string>();
  /** Failed hosts that an administrator accepted, by operation. */
  readonly acceptedFailures = new Map<string, ReadonlySet<Address>>();
  isGloballyPaused = false;
  /** An administrator resumed an operation that was paused by a partition, so unresponsive hosts count as down. */
  isPartitionOverruled = false;
  /** End of the last outage of the container manager. */
  managerDownUntilMs = 0;
  isRetrying = false;
  isCordoning = false;
  /** The operation whose failures a client is accepting. */
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
  readonly acknowledged: AcknowledgedRequests;
  readonly time: UndisturbedTime;
  machineAt(address: Address): SimulatedHost;
}

/** Must hold at every commit. Returns the violation, if any. */
export type Invariant = (commit: Commit) => string | undefined;

const keyOf = ({ operation, host }: PlannedRow) => `${operation} ${host}`;

export function movedBetween(before: State, after: State): readonly Moved[] {
  const rowsBefore = new Map(before.planned.map(row => [keyOf(row), row]));
  return after.planned.flatMap(is => {
    const was = rowsBefore.get(keyOf(is));
    return was && (was.phases_json !== is.phases_json || was.attempt !== is.attempt || was.phase !== is.phase)
      ? [{ was, is }]
      : [];
  });
}

export const listed = (hosts: Iterable<Address>): string => [...hosts].join(', ');
