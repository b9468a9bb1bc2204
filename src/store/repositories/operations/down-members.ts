import type { Address } from '../../../domain/addresses/address.ts';
import type { Candidate } from '../../../domain/rollout/snapshot.ts';
import { byRolloutOrder, isDown, isIneligible, isUnresponsive } from '../../../domain/rollout/snapshot.ts';
import { stateOf } from './outage-row.ts';
import type { OutageRow } from './rolling-queries.ts';

const isWaiting = ({ phase, is_staged }: OutageRow): boolean =>
  phase === 'pending' || (phase === 'staging' && is_staged === 1);

type Planned = { readonly host: Address; readonly is_control_plane: number; readonly position: number };

/** The members of a cluster that are out of service, and what follows for the plan. */
export class DownMembers {
  readonly rows: readonly OutageRow[];
  /** Those that are in the plan, and have no slot yet. */
  readonly waiting: readonly OutageRow[];
  readonly untouchable: ReadonlySet<Address>;
  readonly #byAddress: ReadonlyMap<Address, OutageRow>;

  constructor(rows: readonly OutageRow[]) {
    this.rows = rows;
    this.waiting = rows.filter(isWaiting);
    this.untouchable = new Set(
      this.waiting.filter(row => isIneligible(stateOf(row))).map(row => row.address),
    );
    this.#byAddress = new Map(rows.map(row => [row.address, row]));
  }

  has = (host: Address): boolean => this.#byAddress.has(host);

  candidate = ({ host, position, is_control_plane }: Planned): Candidate => {
    const row = this.#byAddress.get(host);
    return {
      host,
      position,
      isControlPlane: is_control_plane === 1,
      isDown: row !== undefined && isDown(stateOf(row)),
      isUnresponsive: row !== undefined && isUnresponsive(stateOf(row)),
    };
  };

  /** The candidates that an operation may work on, in the order in which they start. */
  inTurn = (candidates: readonly Candidate[]): readonly Candidate[] =>
    candidates.filter(({ host }) => !this.untouchable.has(host)).sort(byRolloutOrder);
}
