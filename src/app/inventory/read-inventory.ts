// What other tools are told of all hosts. Of 100,000 of them, too, it is read in parts, so that others get their turn in between, and
// all parts are of one moment. What must hold: names are made from everything in the store, whatever part of the hosts is asked for. So
// a name means the same with every filter.

import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { InventoryHost } from '../../domain/hosts/inventory.ts';
import { AnsibleGroupNames, formatLabel } from '../../domain/hosts/inventory.ts';
import type { PageRequest } from '../../domain/page.ts';
import { UniqueNames } from '../../lib/text/unique-names.ts';
import type { Reads } from '../../store/records.ts';
import type { HostFilter } from '../../store/repositories/hosts/host-filter.ts';
import type { HostQuery } from '../hosts/host-query.ts';
import { hostFilterOf } from '../hosts/host-query.ts';
import { unknownHost } from '../hosts/read-hosts.ts';
import { inParts } from '../in-parts.ts';
import type { Ports } from '../ports.ts';
import { labelKeys, labelValues } from './label-words.ts';

/** How many hosts are read at a time: some milliseconds' work. */
const HOSTS_AT_A_TIME = 250;

export interface Inventory<Names> {
  readonly hosts: readonly InventoryHost[];
  readonly names: Names;
}

async function allHosts(reads: Reads, filter: HostFilter): Promise<readonly InventoryHost[]> {
  const hosts: InventoryHost[] = [];
  const read = (part: PageRequest<Address>) => reads.inventory.hosts(filter, part);
  for await (const part of inParts(read, ({ address }) => address, { limit: HOSTS_AT_A_TIME }))
    hosts.push(...part);
  return hosts;
}

function readWith<Names>(
  ports: Ports,
  query: HostQuery,
  readNames: (reads: Reads) => Promise<Names>,
): Promise<Inventory<Names>> | AppError {
  const filter = hostFilterOf(ports, query);
  if (filter instanceof AppError) return filter;
  return ports.store.snapshot(async reads => ({
    names: await readNames(reads),
    hosts: filter === null ? [] : await allHosts(reads, filter),
  }));
}

/** Hosts, and the names of their groups. */
export const readForAnsible = async (
  ports: Ports,
  query: HostQuery,
): Promise<Inventory<AnsibleGroupNames> | AppError> =>
  readWith(ports, query, async reads => {
    const names = new AnsibleGroupNames();
    for (const system of ports.drivers.os.osNames) names.operatingSystems.add(system);
    for (const cluster of (await reads.clusters.names({})).items) names.clusters.add(cluster);
    for await (const key of labelKeys(reads)) {
      for await (const value of labelValues(reads, key)) names.labels.add(formatLabel(key, value));
    }
    return names;
  });

/** Hosts, and the names of the labels' keys. */
export const readForPrometheus = async (
  ports: Ports,
  query: HostQuery,
): Promise<Inventory<UniqueNames> | AppError> =>
  readWith(ports, query, async reads => {
    const names = new UniqueNames('__meta_hostler_label_');
    for await (const key of labelKeys(reads)) names.add(key);
    return names;
  });

/** One host of those that are asked for. */
export async function readInventoryHost(
  ports: Ports,
  query: HostQuery,
  address: Address,
): Promise<InventoryHost | AppError> {
  const filter = hostFilterOf(ports, query);
  if (filter instanceof AppError) return filter;
  const [host] =
    filter === null
      ? []
      : (await ports.store.reads.inventory.hosts({ ...filter, address }, { limit: 1 })).items;
  return host ?? unknownHost(address);
}
