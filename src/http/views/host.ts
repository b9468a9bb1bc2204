import type { Static } from 'typebox';
import type { Host, ListedHost } from '../../contract/routes/hosts.ts';
import type { ExtendedHostLine, HostLine, Host as HostRecord } from '../../domain/hosts/host.ts';
import { shownFacts } from '../../domain/hosts/source-facts.ts';
import { ReadyJson } from '../answers/ready-json.ts';

/** What lists tell of a host; the store keeps it ready as a HostLine. */
export function viewListedHost(host: HostRecord): Static<typeof ListedHost> {
  const { os, cpus, memoryKib, spaceKib } = shownFacts(host, host.told);
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
  readonly line: HostLine;
  readonly source: string;
}): ReadyJson => ReadyJson.extended(line, 'source', source);

/** As JSON: what an extended list tells beside the line comes after it. */
export const viewExtendedLine = (host: ExtendedHostLine): string =>
  `${host.line.slice(0, -1)},"hostname":${JSON.stringify(host.hostname)},"cluster":${JSON.stringify(host.cluster ?? '')},"labels":${host.labelsJson},"maintenance":${host.isInMaintenance},"reason":${JSON.stringify(host.reason)}}`;
