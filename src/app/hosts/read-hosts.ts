import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { addressOfEntry } from '../../domain/hosts/host.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { Reads } from '../../store/records.ts';
import type { HostFilter } from '../../store/repositories/hosts/host-filter.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';
import type { HostQuery } from './host-query.ts';
import { hostFilterOf } from './host-query.ts';

export const unknownHost = (address: Address) =>
  new AppError('not_found', `the host ${address} does not exist`);

const listBy =
  <Item>(
    read: (reads: Reads, filter: HostFilter, part: PageRequest<Address>) => Promise<Page<Item>>,
    addressOf: (item: Item) => Address,
  ) =>
  async (ports: Ports, query: HostQuery, page: PageRequest<Address>): Promise<Page<Item> | AppError> => {
    const filter = hostFilterOf(ports, query);
    if (filter instanceof AppError) return filter;
    if (filter === null) return { items: [], hasMore: false };
    return listRecords(ports.store, page, (reads, part) => read(reads, filter, part), addressOf);
  };

export const listHosts = listBy((reads, filter, part) => reads.hosts.list(filter, part), addressOfEntry);

export const listExtendedHosts = listBy(
  (reads, filter, part) => reads.hosts.listExtended(filter, part),
  ({ entryJson }) => addressOfEntry(entryJson),
);

/** A host as lists tell of it, and the source of its facts. */
export async function getHost({ store }: Ports, address: Address) {
  return (await store.reads.hosts.line(address)) ?? unknownHost(address);
}

/** The last checks of a host, the oldest first. */
export async function listChecks({ store }: Ports, address: Address) {
  return (await store.reads.hostChecks.history(address)) ?? unknownHost(address);
}
