// How membership moves a host's status:
//
//   disassociated ──joins a cluster without container manager──▶ active
//   active        ──leaves its cluster──▶ disassociated
//
// With a container manager a host that joins stays `disassociated` until it is registered there.

import type { HostStatus } from './vocabulary.ts';

interface Moves {
  readonly isReadyToJoin: boolean;
  readonly afterJoining: HostStatus;
  readonly afterLeaving: HostStatus;
}

const unmoved = (status: HostStatus): Moves => ({
  isReadyToJoin: false,
  afterJoining: status,
  afterLeaving: status,
});

const MOVES: Readonly<Record<HostStatus, Moves>> = {
  investigating: unmoved('investigating'),
  bootstrapping: unmoved('bootstrapping'),
  active: { isReadyToJoin: true, afterJoining: 'active', afterLeaving: 'disassociated' },
  disassociated: { isReadyToJoin: true, afterJoining: 'active', afterLeaving: 'disassociated' },
  failed: unmoved('failed'),
  unreachable: unmoved('unreachable'),
};

/** Only a host that is bootstrapped and answers may join a cluster. */
export const isReadyToJoin = (status: HostStatus): boolean => MOVES[status].isReadyToJoin;

export const statusAfterJoining = (
  status: HostStatus,
  cluster: { hasContainerManager: boolean },
): HostStatus => (cluster.hasContainerManager ? status : MOVES[status].afterJoining);

export const statusAfterLeaving = (status: HostStatus): HostStatus => MOVES[status].afterLeaving;
