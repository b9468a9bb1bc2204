import type { Static } from 'typebox';
import type { HostStatusReport as Report } from '../../app/hosts/read-host-status.ts';
import type { HostStatusReport } from '../../contract/routes/host-care.ts';
import { toMaintenance } from '../../domain/hosts/host.ts';
import { effectiveFacts } from '../../domain/hosts/host-facts.ts';
import { hostKeyFingerprint, hostKeyType } from '../../domain/hosts/host-key.ts';

function viewNode(node: NonNullable<Report['containerManager']>['node']) {
  if ('reason' in node) return node;
  const { reportedAt, ...rest } = node;
  return { ...rest, reported_at: reportedAt };
}

const viewSource = ({ name, told, isKnown, problem, conditions }: NonNullable<Report['source']>) => ({
  name,
  ...(told && { refreshed_at: told.at, age_s: told.ageS }),
  known: isKnown,
  ...(problem && { problem }),
  ...(conditions && { conditions }),
});

/** What is not known is left out. */
function viewOwn(report: Report): Static<typeof HostStatusReport>['host'] {
  const { host, labels, work, transport, offeredHostKey, source } = report;
  const { hostname } = effectiveFacts(host, host.sourceFacts);
  return {
    last_check: host.lastCheck,
    status: host.status,
    ...(host.reason && { reason: host.reason }),
    ...(hostname && { hostname }),
    ...(host.cluster !== null && { cluster: host.cluster }),
    ...(host.bootId && { boot_id: host.bootId }),
    ...(transport && { transport }),
    labels,
    maintenance: toMaintenance(host),
    ...(source && { source: viewSource(source) }),
    tasks: work.map(({ task: { kind }, state: { step, attempts, problem } }) => ({
      kind,
      attempts,
      ...(step && { step }),
      ...(problem && { problem }),
    })),
    ...(offeredHostKey !== null && {
      pending_host_key: {
        type: hostKeyType(offeredHostKey),
        fingerprint: hostKeyFingerprint(offeredHostKey),
      },
    }),
  };
}

export const viewHostStatus = (report: Report): Static<typeof HostStatusReport> => ({
  type: report.containerManager?.type ?? 'host_only',
  host: viewOwn(report),
  container_manager: report.containerManager ? viewNode(report.containerManager.node) : {},
});
