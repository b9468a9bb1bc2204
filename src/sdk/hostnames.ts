import type { Client } from './client.ts';

/** Hostname by address. A host without an entry is shown by its address. */
export type Hostnames = ReadonlyMap<string, string>;

/** One page of the list. The other hosts of a larger fleet are shown by their addresses. */
const MAX_FETCHED_HOSTS = 5000;

/** For events and audit log entries, which contain only addresses. */
export async function fetchHostnames(
  client: Pick<Client, 'listHosts'>,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<Hostnames> {
  const { body } = await client.listHosts({ query: { extended: true, limit: MAX_FETCHED_HOSTS }, ...options });
  return new Map(body.flatMap(({ address, hostname }) => (hostname ? [[address, hostname]] : [])));
}
