import type { ClusterWithCounts } from './cluster.ts';
import type { RecordName } from './record-name.ts';
import type { InternalPauseReason } from './rollout/operation.ts';
import type { HostPhase, HostStatus, OperationKind, OperationState, WebhookState } from './vocabulary.ts';

export interface HostStats {
  /** null: hosts without a cluster. */
  readonly cluster: RecordName | null;
  readonly status: HostStatus;
  readonly isInMaintenance: boolean;
  readonly hosts: number;
  /** Hosts that are unreachable or failed while an operation has them in flight. */
  readonly inFlight: number;
}

/** Hosts whose status is explained neither by maintenance nor by a running operation. */
export const unexplainedCount = ({ isInMaintenance, hosts, inFlight }: HostStats): number =>
  isInMaintenance ? 0 : Math.max(0, hosts - inFlight);

/** Of open operations. */
export interface OperationStats {
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly pause: InternalPauseReason | null;
  readonly operations: number;
  /** The earliest of these operations, by the clock of the store; null: none is blocked. */
  readonly blockedSinceMs: number | null;
}

/** Of open operations. */
export interface PhaseStats {
  readonly kind: OperationKind;
  readonly phase: HostPhase;
  readonly hosts: number;
}

export interface EventStats {
  /** Not in the log yet. The count has an upper limit. */
  readonly pending: number;
  readonly oldestAt: string | null;
  /** The ID of the newest entry in the log. */
  readonly position: number;
}

export interface WebhookStats {
  readonly state: WebhookState;
  /** By the clock of the store; null: deliveries succeed. */
  readonly failingSinceMs: number | null;
}

export interface Overview {
  readonly hosts: Readonly<Partial<Record<HostStatus, number>>>;
  /** In any status. */
  readonly inMaintenance: number;
  /** By name. */
  readonly clusters: readonly ClusterWithCounts[];
  readonly openOperations: number;
}
