import type { Static } from 'typebox';
import type { Host, ListedHost } from '../../contract/routes/hosts.ts';
import type { ExtendedHostEntry, HostEntryJson, Host as HostRecord } from '../../domain/hosts/host.ts';
import { effectiveFacts } from '../../domain/hosts/host-facts.ts';
import { ReadyJson } from '../answers/ready-json.ts';

/** What lists tell of a host; the store keeps it ready as a HostLine. */
export function viewListedHost(host: HostRecord): Static<typeof ListedHost> {
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
  ...viewListedHost(host),
  source: host.source,
});

/** The same, from the line that the store keeps ready. */
export const viewHostLine = ({
  line,
  source,
}: {
  readonly line: HostEntryJson;
  readonly source: string;
}): ReadyJson => ReadyJson.extended(line, 'source', source);

/** As JSON: what an extended list tells beside the line comes after it. */
export const viewExtendedLine = (host: ExtendedHostEntry): string =>
  `${host.entryJson.slice(0, -1)},"hostname":${JSON.stringify(host.hostname)},"cluster":${JSON.stringify(host.cluster ?? '')},"labels":${host.labelsJson},"maintenance":${host.isInMaintenance},"reason":${JSON.stringify(host.reason)}}`;
