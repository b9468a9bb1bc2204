import type { Address } from '../../domain/addresses/address.ts';
import type { ClusterWithCounts } from '../../domain/clusters/cluster.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Listed, Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';

export const unknownCluster = (name: RecordName) =>
  new Refusal('not_found', `the cluster ${name} does not exist`);

/** One that a body names. */
export const unknownClusterNamed = (name: RecordName) =>
  new Refusal('unknown_cluster', `the cluster ${name} does not exist; create it first`);

export const listClusters = ({ store }: Ports, page: Page<RecordName>) =>
  listRecords(
    store,
    page,
    (reads, part) => reads.clusters.names(part),
    name => name,
  );

export async function getCluster({ store }: Ports, name: RecordName): Promise<ClusterWithCounts | Refusal> {
  return (await store.reads.clusters.getWithCounts(name)) ?? unknownCluster(name);
}

export async function listMembers(
  { store }: Ports,
  name: RecordName,
  page: Page<Address>,
): Promise<Listed<Address> | Refusal> {
  const members = await listRecords(
    store,
    page,
    (reads, part) => reads.hosts.memberAddresses(name, part),
    address => address,
  );
  if (members.items.length > 0 || (await store.reads.clusters.get(name))) return members;
  return unknownCluster(name);
}

/** Answers the address if the host is a member. */
export async function testMember(
  { store }: Ports,
  name: RecordName,
  address: Address,
): Promise<Address | Refusal> {
  const host = await store.reads.hosts.get(address);
  if (host?.cluster === name) return address;
  return (await store.reads.clusters.get(name))
    ? new Refusal('not_found', `the host ${address} is not a member of the cluster ${name}`)
    : unknownCluster(name);
}
