import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError, appErrorFromFields } from '../../domain/errors.ts';
import { addressOfEntry } from '../../domain/hosts/host.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import { isRecordName } from '../../domain/record-name.ts';
import type { HostFilter } from '../../store/repositories/hosts/host-queries.ts';
import type { ReadRepositories } from '../../store/repositories/index.ts';
import type { PageBounds } from '../pagination.ts';
import { listRecords } from '../pagination.ts';
import type { Ports } from '../ports.ts';

export interface HostListQuery extends Omit<HostFilter, 'cluster' | 'lastAddress'> {
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

type ReadHosts<Item> = (reads: ReadRepositories, filter: HostFilter, batch: PageBounds<Address>) => Promise<Page<Item>>;

/** The query for a part takes a few milliseconds. */
const SEARCHED_HOSTS = 500;

/**
 * Searches one part of the hosts after the other, so that other requests are served in between. No index helps to find
 * a part of a text, so a rare text reads all hosts and their labels.
 */
const searchInParts =
  <Item>(read: ReadHosts<Item>): ReadHosts<Item> =>
  async (reads, filter, { after, limit }) => {
    const items: Item[] = [];
    for (let start = after; ; ) {
      const lastAddress = await reads.hosts.getAddressAfter(start, SEARCHED_HOSTS);
      const found = await read(reads, { ...filter, lastAddress }, { after: start, limit: limit - items.length });
      items.push(...found.items);
      if (found.hasMore || lastAddress === undefined) return { items, hasMore: found.hasMore };
      start = lastAddress;
      await yieldToEventLoop();
    }
  };

const createHostLister =
  <Item>(read: ReadHosts<Item>, toAddress: (item: Item) => Address) =>
  async (ports: Ports, query: HostListQuery, page: PageRequest<Address>): Promise<Page<Item> | AppError> => {
    const filter = toHostFilter(ports, query);
    if (filter instanceof AppError) return filter;
    if (filter === null) return { items: [], hasMore: false };
    const readBatch = filter.search === undefined ? read : searchInParts(read);
    return listRecords(ports.store, page, (reads, batch) => readBatch(reads, filter, batch), toAddress);
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
