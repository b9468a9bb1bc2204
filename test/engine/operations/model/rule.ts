import type { Address } from '../../../../src/domain/addresses/address.ts';
import type { SimulatedHost } from '../../../../src/drivers/transport/sim/simulated-host.ts';
import type { PlannedRow, State } from './state.ts';

/** What people were told, and may count on from then. */
export class Told {
  /** Operations that were answered for. */
  readonly operations = new Set<string>();
  readonly pausedByHand = new Set<string>();
  readonly cancelled = new Set<string>();
  /** `OPERATION HOST`. */
  readonly skipped = new Set<string>();
  isHeld = false;
  /** Until then nothing could be asked of the container manager. */
  managerAwayUntilMs = 0;
  /** What people do at this very moment, and only they may. */
  isRetrying = false;
  isCordoning = false;
}

/** A host whose record has changed. */
export interface Moved {
  readonly was: PlannedRow;
  readonly is: PlannedRow;
}

/** One commit: what was stored before it, and after. */
export interface Commit {
  readonly before: State;
  readonly after: State;
  readonly moved: readonly Moved[];
  readonly told: Told;
  machineAt(address: Address): SimulatedHost;
}

/** Something that must hold of every commit: answers what is wrong, if something is. */
export type Rule = (commit: Commit) => string | undefined;

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
