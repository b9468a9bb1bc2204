import type { ClusterWithCounts } from './cluster.ts';
import type { RecordName } from './record-name.ts';
import type { InternalPauseReason } from './rollout/operation.ts';
import type { HostPhase, HostStatus, OperationKind, OperationState, WebhookState } from './vocabulary.ts';

// What there is, counted as monitoring wants it.

export interface HostStats {
  /** null: in none. */
  readonly cluster: RecordName | null;
  readonly status: HostStatus;
  readonly isInMaintenance: boolean;
  readonly hosts: number;
  /** Those of them that do not answer or have failed while an operation has them in flight. */
  readonly inFlight: number;
}

/** Of hosts in trouble, those that nobody has an explanation for: people have not taken them out of service, nor has an operation. */
export const unexplainedCount = ({ isInMaintenance, hosts, inFlight }: HostStats): number =>
  isInMaintenance ? 0 : Math.max(0, hosts - inFlight);

/** Of operations that are open. */
export interface OperationStats {
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly pause: InternalPauseReason | null;
  readonly operations: number;
  /** Since when the one that waits the longest waits for hosts in its way, by the store's clock; null: none does. */
  readonly blockedSinceMs: number | null;
}

/** Of one operation that is open. */
export interface PhaseStats {
  readonly kind: OperationKind;
  readonly phase: HostPhase;
  readonly hosts: number;
}

/** What is on its way to those who want to know. */
export interface EventStats {
  /** What is not in the log yet; more than so many are not counted. */
  readonly pending: number;
  /** When the oldest of it happened; null: there is none. */
  readonly oldestAt: string | null;
  /** The number of the newest entry of the log. */
  readonly position: number;
}

export interface WebhookStats {
  readonly state: WebhookState;
  /** By the store's clock; null: it does not fail. */
  readonly failingSinceMs: number | null;
}

/** All there is, in numbers. */
export interface Overview {
  /** How many hosts have each status; a status that is not named has none. */
  readonly hosts: Readonly<Partial<Record<HostStatus, number>>>;
  /** How many of them, in any status, people have taken out of service. */
  readonly inMaintenance: number;
  /** By name. */
  readonly clusters: readonly ClusterWithCounts[];
  readonly openOperations: number;
}
