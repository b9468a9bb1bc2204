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

/** How many are read at a time: some milliseconds' work. */
const LABEL_PAGE_SIZE = 250;

interface LabelPage {
  readonly after: string | undefined;
  readonly limit: number;
}

async function* iterateDistinct(
  read: (page: LabelPage) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  const readPage = async (page: LabelPage) => {
    const items = await read(page);
    return { items, hasMore: items.length === page.limit };
  };
  for await (const values of readPages(readPage, value => value, { limit: LABEL_PAGE_SIZE })) yield* values;
}

/** The keys of all labels that hosts have. */
export const labelKeys = ({ hostLabels }: ReadRepositories) =>
  iterateDistinct(page => hostLabels.listKeys(page));

/** The values that a key has on them. */
export const labelValues = ({ hostLabels }: ReadRepositories, key: string) =>
  iterateDistinct(page => hostLabels.listValues(key, page));

// What other tools are told of all hosts. Of 100,000 of them, too, it is read in parts, so that others get their turn in between, and
// all parts are of one moment. What must hold: names are made from everything in the store, whatever part of the hosts is asked for. So
// a name means the same with every filter.

/** How many hosts are read at a time: some milliseconds' work. */
const HOST_PAGE_SIZE = 250;

export interface Inventory<Names> {
  readonly hosts: readonly InventoryHost[];
  readonly names: Names;
}

async function readAllHosts(reads: ReadRepositories, filter: HostFilter): Promise<readonly InventoryHost[]> {
  const hosts: InventoryHost[] = [];
  const read = (page: PageRequest<Address>) => reads.inventory.hosts(filter, page);
  for await (const page of readPages(read, ({ address }) => address, { limit: HOST_PAGE_SIZE }))
    hosts.push(...page);
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

/** Hosts, and the names of their groups. */
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

/** Hosts, and the names of the labels' keys. */
export const readPrometheusTargets = async (
  ports: Ports,
  query: HostListQuery,
): Promise<Inventory<UniqueNames> | AppError> =>
  readInventory(ports, query, async reads => {
    const names = new UniqueNames('__meta_hostler_label_');
    for await (const key of labelKeys(reads)) names.add(key);
    return names;
  });

/** One host of those that are asked for. */
export async function readInventoryHost(
  ports: Ports,
  query: HostListQuery,
  address: Address,
): Promise<InventoryHost | AppError> {
  const filter = toHostFilter(ports, query);
  if (filter instanceof AppError) return filter;
  const [host] =
    filter === null
      ? []
      : (await ports.store.reads.inventory.hosts({ ...filter, address }, { limit: 1 })).items;
  return host ?? hostNotFound(address);
}
