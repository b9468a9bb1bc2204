import type { Static } from 'typebox';
import type { HostStatusReport as HostStatusRecord } from '../../app/hosts/read-host-status.ts';
import type { HostStatusReport } from '../../contract/routes/host-management.ts';
import type { Host, HostEntry } from '../../contract/routes/hosts.ts';
import type { ExtendedHostEntry, HostEntryJson, Host as HostRecord } from '../../domain/hosts/host.ts';
import { toMaintenance } from '../../domain/hosts/host.ts';
import { effectiveFacts } from '../../domain/hosts/host-facts.ts';
import { hostKeyFingerprint, hostKeyType } from '../../domain/hosts/host-key.ts';
import { SerializedJson } from '../responses/serialized-json.ts';

/** The entry of a host in lists. The store keeps it serialized as `HostEntryJson`. */
export function viewHostEntry(host: HostRecord): Static<typeof HostEntry> {
  const { os, cpus, memoryKib, spaceKib } = effectiveFacts(host, host.sourceFacts);
  return {
    address: host.address,
    status: host.status,
    os,
    cpus,
    memory: memoryKib,
    space: spaceKib,
    last_check: host.lastCheck,
  };
}

export const viewHost = (host: HostRecord): Static<typeof Host> => ({
  ...viewHostEntry(host),
  source: host.source,
});

/** Same fields as `viewHost`, from the serialized entry in the store. */
export const viewStoredHost = ({
  entryJson,
  source,
}: {
  readonly entryJson: HostEntryJson;
  readonly source: string;
}): SerializedJson => SerializedJson.withField(entryJson, 'source', source);

/** Appends the fields of an extended list to the serialized entry. */
export const viewExtendedHostEntry = (host: ExtendedHostEntry): string =>
  `${host.entryJson.slice(0, -1)},"hostname":${JSON.stringify(host.hostname)},"cluster":${JSON.stringify(host.cluster ?? '')},"labels":${host.labelsJson},"maintenance":${host.isInMaintenance},"reason":${JSON.stringify(host.reason)}}`;

function viewNode(node: NonNullable<HostStatusRecord['containerManager']>['node']) {
  if ('reason' in node) return node;
  const { reportedAt, ...rest } = node;
  return { ...rest, reported_at: reportedAt };
}

const viewSource = ({ name, lastRead, hasHost, problem, conditions }: NonNullable<HostStatusRecord['source']>) => ({
  name,
  ...(lastRead && { refreshed_at: lastRead.at, age_s: lastRead.ageS }),
  known: hasHost,
  ...(problem && { problem }),
  ...(conditions && { conditions }),
});

/** Omits unknown values. */
function viewHostFields(report: HostStatusRecord): Static<typeof HostStatusReport>['host'] {
  const { host, labels, tasks, transport, pendingHostKey, source } = report;
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
    tasks: tasks.map(({ task: { kind }, state: { step, attempts, problem } }) => ({
      kind,
      attempts,
      ...(step && { step }),
      ...(problem && { problem }),
    })),
    ...(pendingHostKey !== null && {
      pending_host_key: {
        type: hostKeyType(pendingHostKey),
        fingerprint: hostKeyFingerprint(pendingHostKey),
      },
    }),
  };
}

export const viewHostStatus = (report: HostStatusRecord): Static<typeof HostStatusReport> => ({
  type: report.containerManager?.type ?? 'host_only',
  host: viewHostFields(report),
  container_manager: report.containerManager ? viewNode(report.containerManager.node) : {},
});
