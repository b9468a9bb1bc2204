import type { Address } from '../../domain/addresses/address.ts';
import { AppError, appErrorFromFields } from '../../domain/errors.ts';
import { addressOfEntry } from '../../domain/hosts/host.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import { isRecordName } from '../../domain/record-name.ts';
import type { HostFilter } from '../../store/repositories/hosts/host-queries.ts';
import type { ReadRepositories } from '../../store/repositories/index.ts';
import { listRecords } from '../pagination.ts';
import type { Ports } from '../ports.ts';

export interface HostListQuery extends Omit<HostFilter, 'cluster'> {
  /** Null: hosts without a cluster. */
  readonly cluster?: string | null | undefined;
}

/** Null: no host can match. */
export function toHostFilter(
  { drivers }: Pick<Ports, 'drivers'>,
  { cluster, ...query }: HostListQuery,
): HostFilter | AppError | null {
  const { osNames } = drivers.os;
  if (query.os && !osNames.includes(query.os)) {
    const message = `must be one of ${osNames.join(', ')}, or empty`;
    return appErrorFromFields('invalid_query', [{ path: '/os', message }], 'the query');
  }
  if (typeof cluster === 'string' && !isRecordName(cluster)) return null;
  return { ...query, cluster };
}

export const hostNotFound = (address: Address) => new AppError('not_found', `the host ${address} does not exist`);

const createHostLister =
  <Item>(
    read: (reads: ReadRepositories, filter: HostFilter, batch: PageRequest<Address>) => Promise<Page<Item>>,
    toAddress: (item: Item) => Address,
  ) =>
  async (ports: Ports, query: HostListQuery, page: PageRequest<Address>): Promise<Page<Item> | AppError> => {
    const filter = toHostFilter(ports, query);
    if (filter instanceof AppError) return filter;
    if (filter === null) return { items: [], hasMore: false };
    return listRecords(ports.store, page, (reads, batch) => read(reads, filter, batch), toAddress);
  };

export const listHosts = createHostLister((reads, filter, batch) => reads.hosts.list(filter, batch), addressOfEntry);

export const listExtendedHosts = createHostLister(
  (reads, filter, batch) => reads.hosts.listExtended(filter, batch),
  ({ entryJson }) => addressOfEntry(entryJson),
);

export async function getHost({ store }: Ports, address: Address) {
  return (await store.reads.hosts.getEntry(address)) ?? hostNotFound(address);
}

/** Oldest first. */
export async function listChecks({ store }: Ports, address: Address) {
  return (await store.reads.healthChecks.getHistory(address)) ?? hostNotFound(address);
}
