// How membership moves a host's status:
//
//   disassociated ──joins a cluster without container manager──▶ active
//   active        ──leaves its cluster──▶ disassociated
//
// With a container manager a host that joins stays `disassociated` until it is registered there.

import type { HostStatus } from './vocabulary.ts';

/** Only a host that is bootstrapped and answers may join a cluster. */
export const isReadyToJoin = (status: HostStatus): boolean =>
  status === 'active' || status === 'disassociated';

export const statusAfterJoining = (
  status: HostStatus,
  cluster: { hasContainerManager: boolean },
): HostStatus => (status === 'disassociated' && !cluster.hasContainerManager ? 'active' : status);

export const statusAfterLeaving = (status: HostStatus): HostStatus =>
  status === 'active' ? 'disassociated' : status;
