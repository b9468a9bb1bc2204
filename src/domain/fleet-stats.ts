import type { ClusterWithCounts } from './cluster.ts';
import type { RecordName } from './record-name.ts';
import type { InternalPauseReason } from './rollout/operation.ts';
import type { HostPhase, HostStatus, OperationKind, OperationState, WebhookState } from './vocabulary.ts';

// Counts for the metrics.

export interface HostStats {
  /** null: hosts without a cluster. */
  readonly cluster: RecordName | null;
  readonly status: HostStatus;
  readonly isInMaintenance: boolean;
  readonly hosts: number;
  /** Hosts of this group that are unreachable or failed while an operation has them in flight. */
  readonly inFlight: number;
}

/** Hosts whose trouble is explained neither by maintenance nor by a running operation. */
export const unexplainedCount = ({ isInMaintenance, hosts, inFlight }: HostStats): number =>
  isInMaintenance ? 0 : Math.max(0, hosts - inFlight);

/** Open operations, by kind, state and pause. */
export interface OperationStats {
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly pause: InternalPauseReason | null;
  readonly operations: number;
  /** When the longest-blocked of these operations became blocked, by the clock of the store; null: none is blocked. */
  readonly blockedSinceMs: number | null;
}

/** Hosts of open operations, by kind and phase. */
export interface PhaseStats {
  readonly kind: OperationKind;
  readonly phase: HostPhase;
  readonly hosts: number;
}

export interface EventStats {
  /** Outbox entries that are not in the log yet. The count has an upper limit. */
  readonly pending: number;
  /** Time of the oldest pending entry; null: none is pending. */
  readonly oldestAt: string | null;
  /** ID of the newest entry in the log. */
  readonly position: number;
}

export interface WebhookStats {
  readonly state: WebhookState;
  /** By the clock of the store; null: deliveries succeed. */
  readonly failingSinceMs: number | null;
}

export interface Overview {
  /** A missing status counts as 0. */
  readonly hosts: Readonly<Partial<Record<HostStatus, number>>>;
  /** Hosts in maintenance, in any status. */
  readonly inMaintenance: number;
  /** Sorted by name. */
  readonly clusters: readonly ClusterWithCounts[];
  readonly openOperations: number;
}
