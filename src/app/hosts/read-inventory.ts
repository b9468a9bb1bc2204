import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { InventoryHost } from '../../domain/hosts/inventory.ts';
import { AnsibleGroupNames, formatLabel } from '../../domain/hosts/inventory.ts';
import type { PageRequest } from '../../domain/page.ts';
import { UniqueNames } from '../../lib/unique-names.ts';
import type { HostFilter } from '../../store/repositories/hosts/host-queries.ts';
import type { ReadRepositories } from '../../store/repositories/index.ts';
import { readPages } from '../pagination.ts';
import type { Ports } from '../ports.ts';
import type { HostListQuery } from './read-hosts.ts';
import { hostNotFound, toHostFilter } from './read-hosts.ts';

/** A page takes a few milliseconds. */
const LABEL_PAGE_SIZE = 250;

interface LabelPage {
  readonly after: string | undefined;
  readonly limit: number;
}

async function* iterateDistinct(read: (page: LabelPage) => Promise<readonly string[]>): AsyncGenerator<string> {
  const readPage = async (page: LabelPage) => {
    const items = await read(page);
    return { items, hasMore: items.length === page.limit };
  };
  for await (const values of readPages(readPage, value => value, { limit: LABEL_PAGE_SIZE })) yield* values;
}

const labelKeys = ({ hostLabels }: ReadRepositories) => iterateDistinct(page => hostLabels.listKeys(page));

const labelValues = ({ hostLabels }: ReadRepositories, key: string) =>
  iterateDistinct(page => hostLabels.listValues(key, page));

const HOST_PAGE_SIZE = 250;

export interface Inventory<Names> {
  readonly hosts: readonly InventoryHost[];
  readonly names: Names;
}

async function readAllHosts(reads: ReadRepositories, filter: HostFilter): Promise<readonly InventoryHost[]> {
  const hosts: InventoryHost[] = [];
  const read = (page: PageRequest<Address>) => reads.hosts.listInventory(filter, page);
  for await (const page of readPages(read, ({ address }) => address, { limit: HOST_PAGE_SIZE })) hosts.push(...page);
  return hosts;
}

function readInventory<Names>(
  ports: Ports,
  query: HostListQuery,
  readNames: (reads: ReadRepositories) => Promise<Names>,
): Promise<Inventory<Names>> | AppError {
  const filter = toHostFilter(ports, query);
  if (filter instanceof AppError) return filter;
  return ports.store.snapshot(async reads => ({
    names: await readNames(reads),
    hosts: filter === null ? [] : await readAllHosts(reads, filter),
  }));
}

/**
 * One snapshot, read in pages, so other requests are served in between. Group names come from the whole store, so a
 * name means the same with every filter.
 */
export const readAnsibleInventory = async (
  ports: Ports,
  query: HostListQuery,
): Promise<Inventory<AnsibleGroupNames> | AppError> =>
  readInventory(ports, query, async reads => {
    const names = new AnsibleGroupNames();
    for (const system of ports.drivers.os.osNames) names.operatingSystems.add(system);
    for (const cluster of (await reads.clusters.listNames({})).items) names.clusters.add(cluster);
    for await (const key of labelKeys(reads)) {
      for await (const value of labelValues(reads, key)) names.labels.add(formatLabel(key, value));
    }
    return names;
  });

/** Names come from the whole store, as in `readAnsibleInventory`. */
export const readPrometheusTargets = async (
  ports: Ports,
  query: HostListQuery,
): Promise<Inventory<UniqueNames> | AppError> =>
  readInventory(ports, query, async reads => {
    const names = new UniqueNames('__meta_hostler_label_');
    for await (const key of labelKeys(reads)) names.add(key);
    return names;
  });

export async function readInventoryHost(
  ports: Ports,
  query: HostListQuery,
  address: Address,
): Promise<InventoryHost | AppError> {
  const filter = toHostFilter(ports, query);
  if (filter instanceof AppError) return filter;
  const [host] =
    filter === null ? [] : (await ports.store.reads.hosts.listInventory({ ...filter, address }, { limit: 1 })).items;
  return host ?? hostNotFound(address);
}
