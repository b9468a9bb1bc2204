import type { Address } from '../../domain/addresses/address.ts';
import { Refusal } from '../../domain/errors.ts';
import { addressInLine } from '../../domain/hosts/host.ts';
import type { Listed, Page } from '../../domain/page.ts';
import type { Reads } from '../../store/records.ts';
import type { HostFilter } from '../../store/repositories/hosts/host-filter.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';
import type { HostQuery } from './host-query.ts';
import { hostFilterOf } from './host-query.ts';

export const unknownHost = (address: Address) =>
  new Refusal('not_found', `the host ${address} does not exist`);

const listBy =
  <Item>(
    read: (reads: Reads, filter: HostFilter, part: Page<Address>) => Promise<Listed<Item>>,
    addressOf: (item: Item) => Address,
  ) =>
  async (ports: Ports, query: HostQuery, page: Page<Address>): Promise<Listed<Item> | Refusal> => {
    const filter = hostFilterOf(ports, query);
    if (filter instanceof Refusal) return filter;
    if (filter === null) return { items: [], hasMore: false };
    return listRecords(ports.store, page, (reads, part) => read(reads, filter, part), addressOf);
  };

export const listHosts = listBy((reads, filter, part) => reads.hosts.list(filter, part), addressInLine);

export const listExtendedHosts = listBy(
  (reads, filter, part) => reads.hosts.listExtended(filter, part),
  ({ line }) => addressInLine(line),
);

/** A host as lists tell of it, and the source of its facts. */
export async function getHost({ store }: Ports, address: Address) {
  return (await store.reads.hosts.line(address)) ?? unknownHost(address);
}

/** The last checks of a host, the oldest first. */
export async function listChecks({ store }: Ports, address: Address) {
  return (await store.reads.hostChecks.history(address)) ?? unknownHost(address);
}
