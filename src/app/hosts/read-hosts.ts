import type { Address } from '../../domain/address.ts';
import { Refusal } from '../../domain/errors.ts';
import type { HostLine } from '../../domain/host.ts';
import { addressInLine } from '../../domain/host.ts';
import type { Listed, Page } from '../../domain/page.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';
import type { HostQuery } from './host-query.ts';
import { hostFilterOf } from './host-query.ts';

export const unknownHost = (address: Address) => new Refusal('not_found', `there is no host ${address}`);

export async function listHosts(
  ports: Ports,
  query: HostQuery,
  page: Page<Address>,
): Promise<Listed<HostLine> | Refusal> {
  const filter = hostFilterOf(ports, query);
  if (filter instanceof Refusal) return filter;
  if (filter === null) return { items: [], hasMore: false };
  return listRecords(ports.store, page, (reads, part) => reads.hosts.list(filter, part), addressInLine);
}

/** A host as lists tell of it, and the source of its facts. */
export async function getHost({ store }: Ports, address: Address) {
  return (await store.reads.hosts.line(address)) ?? unknownHost(address);
}
