import type { Address } from '../addresses/address.ts';
import { isReady } from '../hosts/host-status.ts';
import { PENDING_STATUSES } from '../vocabulary.ts';
import type { ClusterOperation } from './operation.ts';
import type { MemberRecord, MemberState, Outage } from './outage.ts';
import { outageReasonOf } from './outage.ts';

/** An unregistered host is out of service, but not down. */
export const isDown = ({ status, isInMaintenance }: MemberRecord): boolean => isInMaintenance || !isReady(status);

/** The last contact failed, but the status has not changed yet; a single packet may have been lost. */
export const isUnresponsive = (member: MemberState): boolean =>
  !isDown(member) && outageReasonOf(member) === 'unreachable';

/** Another task or a person works on the host. A bootstrap can wait for a container manager after the host is ready. */
export const isIneligible = ({ status, isInMaintenance, awaitsBootstrap }: MemberRecord): boolean =>
  isInMaintenance || PENDING_STATUSES.includes(status) || (awaitsBootstrap && status !== 'active');

export interface Candidate {
  readonly host: Address;
  /** Working on the host takes no free slot. */
  readonly isDown: boolean;
  /** The host gets no slot until it responds. */
  readonly isUnresponsive: boolean;
  readonly isControlPlane: boolean;
  readonly position: number;
}

type RolloutOrderKey = Pick<Candidate, 'isControlPlane' | 'isDown' | 'position'>;

/** Workers before the control plane, then hosts that are down, then by position in the plan. */
export const byRolloutOrder = (one: RolloutOrderKey, other: RolloutOrderKey): number =>
  Number(one.isControlPlane) - Number(other.isControlPlane) ||
  Number(other.isDown) - Number(one.isDown) ||
  one.position - other.position;

/** A host in flight whose reboot has not been sent. */
export interface PendingReboot {
  readonly host: Address;
  readonly position: number;
  /** Waits for clearance to reboot. */
  readonly awaitsRebootClearance: boolean;
  /** Within the freshness window. */
  readonly hasResponded: boolean;
}

/**
 * Long lists are truncated to what can matter, so the cost of a decision does not depend on the number of waiting
 * hosts.
 */
export interface RolloutSnapshot {
  readonly operation: Pick<
    ClusterOperation,
    | 'state'
    | 'pause'
    | 'problem'
    | 'policy'
    | 'hostCount'
    | 'acknowledgedFailures'
    | 'acceptedFailures'
    | 'blockedSinceMs'
    | 'assessment'
  >;
  /** By the clock of the store. */
  readonly nowMs: number;
  readonly isGloballyPaused: boolean;
  /** No live server can reach most hosts. */
  readonly isPartitioned: boolean;
  /** `changesAtMs` is null if the window never opens or closes. */
  readonly window: { readonly isOpen: boolean; readonly changesAtMs: number | null };
  /** 0 if the policy does not need it, because counting is slow in a large cluster. */
  readonly memberCount: number;
  /** Without members that the operation ignores. */
  readonly outages: readonly Outage[];
  /** Outages of hosts that respond. They use a slot and must not all be worked on at once. */
  readonly unregistered: readonly Address[];
  /** Some of the members in service that have not responded since `respondedSinceMs` and are not in flight. */
  readonly unchecked: readonly Address[];
  /** Maximum age of a response. */
  readonly freshnessMs: number;
  /** Within the freshness window and, before the first host starts, since the assessment began. */
  readonly respondedSinceMs: number;
  /** When the first response becomes stale, by the clock of the store; infinite without other members. */
  readonly freshUntilMs: number;
  /** Ignored members that are active again and count from now on, unless `unhealthy` is `exclude`. */
  readonly recovered: readonly Address[];
  readonly inFlight: readonly Address[];
  /** In plan order. */
  readonly pendingReboots: readonly PendingReboot[];
  /** Failed hosts that hold their slot. */
  readonly holdingSlot: readonly Address[];
  /** Control-plane hosts that hold a slot or are down. */
  readonly brokenControlPlane: readonly Address[];
  readonly preparingCount: number;
  /** How many of the preparing hosts do not respond. */
  readonly unresponsiveCount: number;
  /** Of the preparing hosts that are not delayed; null: none. */
  readonly firstPreparingPosition: number | null;
  /** Sorted by `byRolloutOrder`. */
  readonly staged: readonly Candidate[];
  /** Not started, in the same order. */
  readonly pending: readonly Candidate[];
  /** Some of the waiting hosts: in maintenance, or being bootstrapped. */
  readonly ineligible: readonly Address[];
  /** Hosts that the operation changed and verified. */
  readonly verifiedCount: number;
  readonly failed: readonly Address[];
  /** Open hosts outside the control plane. */
  readonly areWorkersLeft: boolean;
}
