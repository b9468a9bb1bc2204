import type { Address } from '../../domain/addresses/address.ts';
import type { ClusterWithCounts } from '../../domain/cluster.ts';
import { AppError } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { listRecords } from '../pagination.ts';
import type { Ports } from '../ports.ts';

export const clusterNotFound = (name: RecordName) => new AppError('not_found', `the cluster ${name} does not exist`);

/** The request body names the cluster. */
export const referencedClusterNotFound = (name: RecordName) =>
  new AppError('unknown_cluster', `the cluster ${name} does not exist; create it first`);

export const listClusters = ({ store }: Ports, page: PageRequest<RecordName>) =>
  listRecords(
    store,
    page,
    (reads, batch) => reads.clusters.listNames(batch),
    name => name,
  );

export const listClustersWithCounts = ({ store }: Ports, page: PageRequest<RecordName>) =>
  listRecords(
    store,
    page,
    (reads, batch) => reads.clusters.listWithCounts(batch),
    ({ name }) => name,
  );

export async function getCluster({ store }: Ports, name: RecordName): Promise<ClusterWithCounts | AppError> {
  return (await store.reads.clusters.getWithCounts(name)) ?? clusterNotFound(name);
}

export async function listMembers(
  { store }: Ports,
  name: RecordName,
  page: PageRequest<Address>,
): Promise<Page<Address> | AppError> {
  const members = await listRecords(
    store,
    page,
    (reads, batch) => reads.hosts.listMemberAddresses(name, batch),
    address => address,
  );
  if (members.items.length > 0 || (await store.reads.clusters.get(name))) return members;
  return clusterNotFound(name);
}

export async function getMember({ store }: Ports, name: RecordName, address: Address): Promise<Address | AppError> {
  const host = await store.reads.hosts.get(address);
  if (host?.cluster === name) return address;
  return (await store.reads.clusters.get(name))
    ? new AppError('not_found', `the host ${address} is not a member of the cluster ${name}`)
    : clusterNotFound(name);
}
