import type { Reading } from '../api/client.ts';
import { answerOf, api } from '../api/client.ts';
import { readPages } from '../api/read-pages.ts';
import type { Fleet, HostFacts } from './fleet.ts';
import { fleetOf, rowOfListed } from './fleet.ts';

/** `cluster`: only its hosts; empty: only those in none; left out: all. */
export async function readFleet(
  cluster: string | undefined,
  signal: AbortSignal,
  onRead: (hosts: number) => void,
): Promise<Reading<Fleet>> {
  const filter = { extended: true, ...(cluster !== undefined && { cluster }) };
  const { value, position } = await readPages(
    paging => api.listHosts({ query: { ...filter, ...paging }, signal }),
    hosts => hosts.map(rowOfListed),
    onRead,
  );
  return { value: fleetOf(value, cluster), position };
}

/** What no event tells of one host. */
export async function readFacts(address: string): Promise<HostFacts> {
  const [{ os, cpus, memory }, { host }] = await Promise.all([
    answerOf(api.getHost({ address })),
    answerOf(api.getHostStatus({ address })),
  ]);
  return { os, cpus, memory, hostname: host.hostname ?? '' };
}
