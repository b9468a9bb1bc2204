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
import type { HostStatus } from '../vocabulary.ts';

/** What moves a host from one status to another, and what it means. */
export const HOST_CAUSES = {
  retried:
    'A person retries the bootstrap of the host, accepts its pending host key, or gives a failed host new credentials.',
  investigated: 'The server has read the facts, and a driver supports the OS.',
  bootstrapped: 'The bootstrap is complete.',
  gave_up: 'The investigation or the bootstrap failed, and the server does not retry.',
  distrusted: 'The host presents a different host key.',
  lost: 'The host does not respond, or rejects the login.',
  answered: 'A health check passed.',
  settled: 'The host joined or left a cluster, or was registered with its container manager.',
} as const;
export type HostCause = keyof typeof HOST_CAUSES;

/** Stands for `active` or `disassociated`. */
const READY = 'ready';

/** A retry needs no look at where the host is settled. */
type Moves = Readonly<Record<HostCause, HostStatus | typeof READY> & Record<'retried', HostStatus>>;

const unmoved = (status: HostStatus): Moves => ({
  retried: 'investigating',
  investigated: status,
  bootstrapped: status,
  gave_up: status,
  distrusted: 'failed',
  lost: status,
  answered: status,
  settled: status,
});

const ready = (status: HostStatus): Moves => ({
  ...unmoved(status),
  lost: 'unreachable',
  settled: READY,
});

export const HOST_MOVES: Readonly<Record<HostStatus, Moves>> = {
  investigating: { ...unmoved('investigating'), investigated: 'bootstrapping', gave_up: 'failed' },
  bootstrapping: { ...unmoved('bootstrapping'), bootstrapped: READY, gave_up: 'failed' },
  active: ready('active'),
  disassociated: ready('disassociated'),
  failed: unmoved('failed'),
  unreachable: { ...unmoved('unreachable'), answered: READY },
};

/** What decides whether a host that is ready is `active`. */
export interface Settlement {
  readonly cluster: RecordName | null;
  /** The container manager of that cluster. */
  readonly containerManager: RecordName | null;
  /** The one that has the host as a node. */
  readonly registeredWith: RecordName | null;
}

export const isSettled = ({ cluster, containerManager, registeredWith }: Settlement): boolean =>
  cluster !== null && (containerManager === null || registeredWith === containerManager);

/** The status that a cause leads to; the same one where it moves nothing. */
export function statusAfter(status: HostStatus, cause: HostCause, settlement: Settlement): HostStatus {
  const next = HOST_MOVES[status][cause];
  if (next !== READY) return next;
  return isSettled(settlement) ? 'active' : 'disassociated';
}

/** Those of a host that is bootstrapped and answers. Only such a host may join a cluster. */
export const READY_STATUSES = ['active', 'disassociated'] as const satisfies readonly HostStatus[];

export const isReady = (status: HostStatus): boolean => READY_STATUSES.some(ready => ready === status);

/** Whether it was made ready, be it that it does not answer now. Such hosts are watched; others are left to the work and to people. */
export const isBootstrapped = (status: HostStatus): boolean => isReady(status) || status === 'unreachable';
