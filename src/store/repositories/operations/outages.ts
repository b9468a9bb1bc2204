import type { Address } from '../../../domain/addresses/address.ts';
import { OPEN_PHASES } from '../../../domain/rollout/operation-host.ts';
import type { MemberState, Outage } from '../../../domain/rollout/outage.ts';
import { isConfirmedByRecords, isOutageConfirmed, outageReasonOf } from '../../../domain/rollout/outage.ts';
import type { Candidate } from '../../../domain/rollout/snapshot.ts';
import { byRolloutOrder, isDown, isIneligible, isUnresponsive } from '../../../domain/rollout/snapshot.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import type { OutageReason } from '../../../domain/vocabulary.ts';
import type { OutageRow } from './rollout-queries.ts';

export const toMemberState = (row: OutageRow): MemberState => ({
  status: row.status,
  isInMaintenance: row.in_maintenance === 1,
  awaitsBootstrap: Number(row.bootstraps) > 0,
  contact: {
    failingSinceMs: row.failing_since,
    failedAtMs: row.failed_at ?? 0,
    contactFailures: row.contact_failures ?? 0,
  },
});

const textOrNull = (text: string): string | null => (text === '' ? null : text);

function outageSince(row: OutageRow, reason: OutageReason): string | null {
  if (reason === 'maintenance') return textOrNull(row.maintenance_since);
  const isUnresponsive = reason === 'unreachable' && row.failing_since !== null;
  return isUnresponsive ? formatTimestamp(row.failing_since ?? 0) : textOrNull(row.status_since);
}

/** Removes the code at the start of a host's reason if it repeats the reason of the outage. */
const stripReasonCode = (text: string, reason: OutageReason): string =>
  text.startsWith(`${reason}: `) ? text.slice(reason.length + 2) : text;

/** A contact must be recent at `nowMs` to confirm an outage. Null: the stored status is enough. */
export function toOutage(row: OutageRow, nowMs: number | null): Outage {
  const state = toMemberState(row);
  const reason = outageReasonOf(state) ?? 'unreachable';
  return {
    host: row.address,
    reason,
    detail: reason === 'maintenance' ? row.maintenance_reason : stripReasonCode(row.reason, reason),
    since: outageSince(row, reason),
    isConfirmed: nowMs === null ? isConfirmedByRecords(reason, state) : isOutageConfirmed(reason, state.contact, nowMs),
    isPlanned: row.phase !== null && OPEN_PHASES.includes(row.phase),
  };
}

const isWaiting = ({ phase, is_staged }: OutageRow): boolean =>
  phase === 'pending' || (phase === 'staging' && is_staged === 1);

type PlanPosition = { readonly host: Address; readonly is_control_plane: number; readonly position: number };

/** The members of a cluster that are out of service, and the effects on the plan. */
export class UnavailableMembers {
  readonly rows: readonly OutageRow[];
  /** Hosts in the plan that have no slot yet. */
  readonly waiting: readonly OutageRow[];
  readonly ineligible: ReadonlySet<Address>;
  readonly #byAddress: ReadonlyMap<Address, OutageRow>;

  constructor(rows: readonly OutageRow[]) {
    this.rows = rows;
    this.waiting = rows.filter(isWaiting);
    this.ineligible = new Set(this.waiting.filter(row => isIneligible(toMemberState(row))).map(row => row.address));
    this.#byAddress = new Map(rows.map(row => [row.address, row]));
  }

  has = (host: Address): boolean => this.#byAddress.has(host);

  toCandidate = ({ host, position, is_control_plane }: PlanPosition): Candidate => {
    const row = this.#byAddress.get(host);
    return {
      host,
      position,
      isControlPlane: is_control_plane === 1,
      isDown: row !== undefined && isDown(toMemberState(row)),
      isUnresponsive: row !== undefined && isUnresponsive(toMemberState(row)),
    };
  };

  /** Returns the eligible candidates in the order in which they start. */
  inRolloutOrder = (candidates: readonly Candidate[]): readonly Candidate[] =>
    candidates.filter(({ host }) => !this.ineligible.has(host)).sort(byRolloutOrder);
}
