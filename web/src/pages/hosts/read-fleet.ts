import type { Reading } from '../../api/client.ts';
import { answerOf, api } from '../../api/client.ts';
import type { Fleet, HostFacts, HostRow } from './fleet.ts';
import { fleetOf, rowOfListed } from './fleet.ts';

/** So many are read while the page stays quick to answer. */
const PAGE = 5000;

/** Where the next page begins. */
function nextAfter(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  return new URL(address, globalThis.location.origin).searchParams.get('after') ?? undefined;
}

/** Reads all hosts, page by page. All that happened since the first page is to be added: what came later is in later pages already. */
export async function readFleet(
  signal: AbortSignal,
  onProgress: (hosts: number) => void,
): Promise<Reading<Fleet>> {
  const rows: HostRow[] = [];
  let position: number | undefined;
  let after: string | undefined;
  do {
    const query = { extended: true, limit: PAGE, ...(after !== undefined && { after }) };
    const { body, headers } = await api.listHosts({ query, signal });
    position ??= Number(headers.get('hostler-event') ?? 0);
    for (const host of body) rows.push(rowOfListed(host));
    after = nextAfter(headers.get('link'));
    onProgress(rows.length);
  } while (after !== undefined);
  return { value: fleetOf(rows), position };
}

/** What no event tells of one host. */
export async function readFacts(address: string): Promise<HostFacts> {
  const [{ os, cpus, memory }, { host }] = await Promise.all([
    answerOf(api.getHost({ address })),
    answerOf(api.getHostStatus({ address })),
  ]);
  return { os, cpus, memory, hostname: host.hostname ?? '' };
}
