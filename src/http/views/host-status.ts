import type { Static } from 'typebox';
import type { HostStatusReport as Report } from '../../app/hosts/read-host-status.ts';
import type { HostStatusReport } from '../../contract/host-care.ts';
import { fingerprintOf, hostKeyType } from '../../domain/host-key.ts';
import { maintenanceOf } from '../../domain/maintenance.ts';

function viewNode(node: NonNullable<Report['containerManager']>['node']) {
  if ('reason' in node) return node;
  const { reportedAt, ...rest } = node;
  return { ...rest, reported_at: reportedAt };
}

/** What is not known is left out. */
const viewOwn = ({
  host,
  labels,
  work,
  transport,
  offeredHostKey,
}: Report): Static<typeof HostStatusReport>['host'] => ({
  last_check: host.lastCheck,
  status: host.status,
  ...(host.reason && { reason: host.reason }),
  ...(host.hostname && { hostname: host.hostname }),
  ...(host.bootId && { boot_id: host.bootId }),
  ...(transport && { transport }),
  labels,
  maintenance: maintenanceOf(host),
  work: work.map(({ work: { kind }, progress: { step, attempts, problem } }) => ({
    kind,
    attempts,
    ...(step && { step }),
    ...(problem && { problem }),
  })),
  ...(offeredHostKey !== null && {
    offered_key: { type: hostKeyType(offeredHostKey), fingerprint: fingerprintOf(offeredHostKey) },
  }),
});

export const viewHostStatus = (report: Report): Static<typeof HostStatusReport> => ({
  type: report.containerManager?.type ?? 'host_only',
  host: viewOwn(report),
  container_manager: report.containerManager ? viewNode(report.containerManager.node) : {},
});
