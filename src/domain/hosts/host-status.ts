// The status of a host:
//                        investigated                bootstrapped
//       investigating ───────────────▶ bootstrapping ────────────▶ ready ◀─ became_reachable ─── unreachable
//             │                              │                     ready ── became_unreachable ▶
//      bootstrap_failed               bootstrap_failed
//             ▼                              ▼
//           failed ◀─────────────────────────┴──────────── host_key_changed (from any status)
//
// `rebootstrap_requested` leads from any status to `investigating`. `ready` is `active` for a member of a
// cluster that is registered with its container manager, if any; else `disassociated`. All other triggers are
// ignored: a late check result does not revive a failed host.

import type { RecordName } from '../record-name.ts';
import type { HealthCheckResult, HostStatus } from '../vocabulary.ts';
import type { HostFacts } from './host-facts.ts';
import type { ReasonText } from './reason-text.ts';

/** With descriptions for the documentation. */
export const STATUS_TRIGGERS = {
  rebootstrap_requested:
    'A person retries the bootstrap of the host, accepts its pending host key, or gives a failed host new credentials.',
  investigated: 'The server has read the facts, and a driver supports the OS.',
  bootstrapped: 'The bootstrap is complete.',
  bootstrap_failed: 'The investigation or the bootstrap failed, and the server does not retry.',
  host_key_changed: 'The host presents a different host key.',
  became_unreachable: 'The host does not respond, or rejects the login.',
  became_reachable: 'A health check passed.',
  membership_changed: 'The host joined or left a cluster, or was registered with its container manager.',
} as const;
export type StatusTrigger = keyof typeof STATUS_TRIGGERS;

/** `active` or `disassociated`. */
const READY = 'ready';

type TransitionRow = Readonly<
  Record<StatusTrigger, HostStatus | typeof READY> & Record<'rebootstrap_requested', HostStatus>
>;

const noTransition = (status: HostStatus): TransitionRow => ({
  rebootstrap_requested: 'investigating',
  investigated: status,
  bootstrapped: status,
  bootstrap_failed: status,
  host_key_changed: 'failed',
  became_unreachable: status,
  became_reachable: status,
  membership_changed: status,
});

const readyTransitions = (status: HostStatus): TransitionRow => ({
  ...noTransition(status),
  became_unreachable: 'unreachable',
  membership_changed: READY,
});

export const STATUS_TRANSITIONS: Readonly<Record<HostStatus, TransitionRow>> = {
  investigating: { ...noTransition('investigating'), investigated: 'bootstrapping', bootstrap_failed: 'failed' },
  bootstrapping: { ...noTransition('bootstrapping'), bootstrapped: READY, bootstrap_failed: 'failed' },
  active: readyTransitions('active'),
  disassociated: readyTransitions('disassociated'),
  failed: noTransition('failed'),
  unreachable: { ...noTransition('unreachable'), became_reachable: READY },
};

export interface MembershipState {
  readonly cluster: RecordName | null;
  readonly containerManager: RecordName | null;
  /** The container manager that has the host as a node. */
  readonly registeredWith: RecordName | null;
}

const isMembershipComplete = ({ cluster, containerManager, registeredWith }: MembershipState): boolean =>
  cluster !== null && (containerManager === null || registeredWith === containerManager);

export function nextStatus(status: HostStatus, trigger: StatusTrigger, membership: MembershipState): HostStatus {
  const next = STATUS_TRANSITIONS[status][trigger];
  if (next !== READY) return next;
  return isMembershipComplete(membership) ? 'active' : 'disassociated';
}

/** Only a ready host can join a cluster. */
export const READY_STATUSES = ['active', 'disassociated'] as const satisfies readonly HostStatus[];

export const isReady = (status: HostStatus): boolean => READY_STATUSES.some(readyStatus => readyStatus === status);

/** Bootstrapped hosts get health checks, even if they do not respond now. */
export const isBootstrapped = (status: HostStatus): boolean => isReady(status) || status === 'unreachable';

/** The only way in which the engine changes a host. */
export interface HostUpdate {
  /** Presented at the first contact; pinned from now on. */
  readonly hostKey?: string;
  /** Not pinned; null: the host presents a pinned key again. */
  readonly pendingHostKey?: string | null;
  readonly facts?: Partial<HostFacts>;
  /** null: attributed to a partition of this server and not recorded. undefined: no check was made. */
  readonly checkResult?: HealthCheckResult | null;
  readonly registeredWith?: RecordName;
  /** `reason` is used only for `failed` and `unreachable`. */
  readonly trigger?: StatusTrigger;
  readonly reason?: ReasonText;
}
