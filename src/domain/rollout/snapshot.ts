import type { Address } from '../addresses/address.ts';
import { PENDING_STATUSES } from '../vocabulary.ts';
import type { ClusterOperation } from './operation.ts';
import type { MemberRecord, MemberState, Outage } from './outage.ts';
import { outageReasonOf } from './outage.ts';

/** By its status. A host that only is not registered with its container manager is out of service, and not down. */
export const isDown = ({ status, isInMaintenance }: MemberRecord): boolean =>
  isInMaintenance || (status !== 'active' && status !== 'disassociated');

/** Its last contact failed, and its status has not changed yet: perhaps only a packet was lost. */
export const isUnresponsive = (member: MemberState): boolean =>
  !isDown(member) && outageReasonOf(member) === 'unreachable';

/** Something else is done to it. A bootstrap may have to wait for a container manager long after the host is ready. */
export const isIneligible = ({ status, isInMaintenance, awaitsBootstrap }: MemberRecord): boolean =>
  isInMaintenance || PENDING_STATUSES.includes(status) || (awaitsBootstrap && status !== 'active');

/** A host that could be started on. */
export interface Candidate {
  readonly host: Address;
  /** It does not answer, or is not made ready: working on it takes no slot that is free. */
  readonly isDown: boolean;
  /** Its last contact failed: it gets no slot until it answers. */
  readonly isUnresponsive: boolean;
  readonly isControlPlane: boolean;
  /** Its place in the order of the plan. */
  readonly position: number;
}

type RolloutOrderKey = Pick<Candidate, 'isControlPlane' | 'isDown' | 'position'>;

/** Workers before the control plane, what is down before what is not, then in the order of the plan. */
export const byRolloutOrder = (one: RolloutOrderKey, other: RolloutOrderKey): number =>
  Number(one.isControlPlane) - Number(other.isControlPlane) ||
  Number(other.isDown) - Number(one.isDown) ||
  one.position - other.position;

/** A host in flight that has not been sent its reboot. */
export interface PendingReboot {
  readonly host: Address;
  readonly position: number;
  /** It waits for permission to reboot. */
  readonly asksToReboot: boolean;
  /** It answered within the freshness window. */
  readonly hasResponded: boolean;
}

/**
 * What the rule looks at: what is in flight, what is in the way, and who is next. Of long lists only as much as can matter, so that a decision
 * costs the same however many hosts wait.
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
  /** The store's clock. */
  readonly nowMs: number;
  /** People hold all operations. */
  readonly isGloballyPaused: boolean;
  /** No live server can reach most hosts. */
  readonly isPartitioned: boolean;
  /** When the window opens or closes next; null: it never does. */
  readonly window: { readonly isOpen: boolean; readonly changesAtMs: number | null };
  /** How many members the cluster has at this moment; 0 where the policy does not ask for it: counting takes long where they are many. */
  readonly members: number;
  /** Members that are out of service, except those that the operation ignores. */
  readonly outages: readonly Outage[];
  /** Those of them that answer, and are only not registered with their container manager: they use a slot, and are not to be worked on all at once. */
  readonly unregistered: readonly Address[];
  /** Some of the members that count as in service, have not answered since `answeredSinceMs`, and are not in flight. */
  readonly unchecked: readonly Address[];
  /** How recent the last answer of a member must be. */
  readonly freshnessMs: number;
  /** Members must have answered since then: within the freshness window, and before the first host also since the assessment began. */
  readonly respondedSinceMs: number;
  /** Until when the answers of all other members count, by the store's clock; infinite where there are none. */
  readonly freshUntilMs: number;
  /** Ignored members that are active again, and count from now on. With `unhealthy: exclude` members are ignored for good. */
  readonly recovered: readonly Address[];
  readonly inFlight: readonly Address[];
  /** Those of them that have not been sent their reboot, in the order of the plan. */
  readonly pendingReboots: readonly PendingReboot[];
  /** Hosts whose failure keeps a slot. */
  readonly holdingSlot: readonly Address[];
  /** Hosts of the control plane that keep a slot or are down. */
  readonly brokenControlPlane: readonly Address[];
  /** How many are being prepared. */
  readonly preparingCount: number;
  /** Those of them that do not answer. */
  readonly unresponsiveCount: number;
  /** The place of the first of them that nothing holds up; null: none is. */
  readonly firstPreparingPosition: number | null;
  /** Prepared, waiting for a slot; `byTurn`. */
  readonly staged: readonly Candidate[];
  /** Not begun yet; in the same order. */
  readonly pending: readonly Candidate[];
  /** Some of those that wait, and that nobody may touch: in maintenance, or being bootstrapped. */
  readonly ineligible: readonly Address[];
  /** Hosts that were worked on and proved, as far as the policy asks for it. */
  readonly verified: number;
  readonly failed: readonly Address[];
  /** Whether any host outside of the control plane has not come to its end. */
  readonly areWorkersLeft: boolean;
}
