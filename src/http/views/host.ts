import type { HostStatusReport as HostStatusRecord } from '../../app/hosts/read-host-status.ts';
import type { HostStatusReport } from '../../contract/routes/host-management.ts';
import type { Host, HostEntry } from '../../contract/routes/hosts.ts';
import type { ExtendedHostEntry, HostEntryJson, Host as HostRecord } from '../../domain/hosts/host.ts';
import { toMaintenance } from '../../domain/hosts/host.ts';
import { effectiveFacts } from '../../domain/hosts/host-facts.ts';
import { hostKeyFingerprint, hostKeyType } from '../../domain/hosts/host-key.ts';
import type { View } from '../request-context.ts';
import { SerializedJson } from '../responses/serialized-json.ts';

/** The entry of a host in lists. The store keeps it serialized as `HostEntryJson`. */
export function viewHostEntry(host: HostRecord): View<typeof HostEntry> {
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

export const viewHost = (host: HostRecord): View<typeof Host> => ({ ...viewHostEntry(host), source: host.source });

/** Same fields as `viewHost`, from the serialized entry in the store. */
export const viewStoredHost = (host: { readonly entryJson: HostEntryJson; readonly source: string }): SerializedJson =>
  SerializedJson.withField(host.entryJson, 'source', host.source);

export const viewExtendedHostEntry = (host: ExtendedHostEntry): string =>
  `${host.entryJson.slice(0, -1)},"hostname":${JSON.stringify(host.hostname)},"cluster":${JSON.stringify(host.cluster ?? '')},"labels":${host.labelsJson},"maintenance":${host.isInMaintenance},"reason":${JSON.stringify(host.reason)}}`;

function viewNode(node: NonNullable<HostStatusRecord['containerManager']>['node']) {
  if ('reason' in node) return node;
  const { reportedAt, ...rest } = node;
  return { ...rest, reported_at: reportedAt };
}

const viewSource = ({ name, lastRead, hasHost, problem, conditions }: NonNullable<HostStatusRecord['source']>) => ({
  name,
  refreshed_at: lastRead?.at,
  age_s: lastRead?.ageS,
  known: hasHost,
  problem: problem || undefined,
  conditions: conditions ?? undefined,
});

function viewHostFields(report: HostStatusRecord): View<typeof HostStatusReport>['host'] {
  const { host, labels, respondedAt, tasks, transport, pendingHostKey, source } = report;
  return {
    last_check: host.lastCheck,
    status: host.status,
    reason: host.reason || undefined,
    hostname: effectiveFacts(host, host.sourceFacts).hostname || undefined,
    cluster: host.cluster ?? undefined,
    boot_id: host.bootId || undefined,
    boots: host.boots,
    booted_at: host.bootedAt || undefined,
    responded_at: respondedAt,
    os_version: host.osVersion || undefined,
    kernel: host.kernel || undefined,
    architecture: host.architecture || undefined,
    transport: transport || undefined,
    labels,
    maintenance: toMaintenance(host),
    source: source ? viewSource(source) : undefined,
    tasks: tasks.map(({ task: { kind }, state: { step, attempts, problem } }) => ({
      kind,
      attempts,
      step: step || undefined,
      problem: problem || undefined,
    })),
    pending_host_key:
      pendingHostKey === null
        ? undefined
        : { type: hostKeyType(pendingHostKey), fingerprint: hostKeyFingerprint(pendingHostKey) },
  };
}

export const viewHostStatus = (report: HostStatusRecord): View<typeof HostStatusReport> => ({
  type: report.containerManager?.type ?? 'host_only',
  host: viewHostFields(report),
  container_manager: report.containerManager ? viewNode(report.containerManager.node) : {},
});
