import type { Host } from '../hosts/host.ts';
import type { RecordName } from '../record-name.ts';
import type { HostStatus } from '../vocabulary.ts';
import type { Happening } from './happening.ts';

/** What is told when the status of a host changes. */
export const statusTold = (
  { address, cluster, status: from, maintenance }: Host,
  to: HostStatus,
  { reason = '', in: where = cluster }: { reason?: string; in?: RecordName | null } = {},
): Happening => ({
  type: 'host.status',
  subject: address,
  host: address,
  cluster: where,
  data: {
    from,
    to,
    ...(reason && { reason }),
    ...(maintenance !== null && { in_maintenance: true as const }),
  },
});
