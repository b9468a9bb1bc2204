// The life of a host:
//
//                    investigated                bootstrapped
//   investigating ───────────────▶ bootstrapping ────────────▶ ready ◀──answered── unreachable
//        │  ▲                            │                     ready ───lost─────▶
//     gave_up └───────retried─────┐   gave_up              (active or disassociated, as it is settled)
//        ▼           (from any)   │      ▼
//      failed ◀───────────────────┴──────┴────── distrusted (from any)
//
// `ready` is `active` for a member of a cluster that is registered with the container manager where there is one, else
// `disassociated`. What has no place in the drawing changes nothing: a check that ends late does not bring a failed host back.

import type { RecordName } from '../record-name.ts';
import type { HealthCheckResult, HostStatus } from '../vocabulary.ts';
import type { HostFacts } from './host-facts.ts';
import type { ReasonText } from './reason-text.ts';

/** What moves a host from one status to another, and what it means. */
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

/** Stands for `active` or `disassociated`. */
const READY = 'ready';

/** A retry needs no look at where the host is settled. */
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
  investigating: {
    ...noTransition('investigating'),
    investigated: 'bootstrapping',
    bootstrap_failed: 'failed',
  },
  bootstrapping: { ...noTransition('bootstrapping'), bootstrapped: READY, bootstrap_failed: 'failed' },
  active: readyTransitions('active'),
  disassociated: readyTransitions('disassociated'),
  failed: noTransition('failed'),
  unreachable: { ...noTransition('unreachable'), became_reachable: READY },
};

/** What decides whether a host that is ready is `active`. */
export interface MembershipState {
  readonly cluster: RecordName | null;
  /** The container manager of that cluster. */
  readonly containerManager: RecordName | null;
  /** The one that has the host as a node. */
  readonly registeredWith: RecordName | null;
}

export const isMembershipComplete = ({
  cluster,
  containerManager,
  registeredWith,
}: MembershipState): boolean =>
  cluster !== null && (containerManager === null || registeredWith === containerManager);

/** The status that a cause leads to; the same one where it moves nothing. */
export function nextStatus(
  status: HostStatus,
  trigger: StatusTrigger,
  membership: MembershipState,
): HostStatus {
  const next = STATUS_TRANSITIONS[status][trigger];
  if (next !== READY) return next;
  return isMembershipComplete(membership) ? 'active' : 'disassociated';
}

/** Those of a host that is bootstrapped and answers. Only such a host may join a cluster. */
export const READY_STATUSES = ['active', 'disassociated'] as const satisfies readonly HostStatus[];

export const isReady = (status: HostStatus): boolean =>
  READY_STATUSES.some(readyStatus => readyStatus === status);

/** Whether it was made ready, be it that it does not answer now. Such hosts are watched; others are left to the work and to people. */
export const isBootstrapped = (status: HostStatus): boolean => isReady(status) || status === 'unreachable';

/** What was found out about a host, or happened to it: what the engine writes, and nothing else. */
export interface HostUpdate {
  /** The key that it showed at the first contact; from now on it is held to it. */
  readonly hostKey?: string;
  /** A key that it showed instead of those it is held to; null: it shows one of those again. */
  readonly pendingHostKey?: string | null;
  readonly facts?: Partial<HostFacts>;
  /** How a check of it ended; null: that is put down to the server, and says nothing of the host. Left out: it was not checked. */
  readonly check?: HealthCheckResult | null;
  /** The container manager that has it as a node now. */
  readonly registeredWith?: RecordName;
  /** What moves it to another status, and why; the reason counts for `failed` and `unreachable`. */
  readonly trigger?: StatusTrigger;
  readonly reason?: ReasonText;
}
