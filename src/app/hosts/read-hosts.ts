import type { Address } from '../../domain/address.ts';
import { Refusal, refuseFields } from '../../domain/errors.ts';
import type { HostLine } from '../../domain/host.ts';
import { addressInLine } from '../../domain/host.ts';
import type { Listed, Page } from '../../domain/page.ts';
import { isRecordName } from '../../domain/record-name.ts';
import type { HostFilter } from '../../store/repositories/host-lists.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';

export const unknownHost = (address: Address) => new Refusal('not_found', `there is no host ${address}`);

/** What hosts are asked for; the words as they were sent. */
export interface HostQuery extends Omit<HostFilter, 'cluster'> {
  /** `null`: hosts that are in none. */
  readonly cluster?: string | null | undefined;
}

export async function listHosts(
  { store, drivers }: Ports,
  { cluster, ...query }: HostQuery,
  page: Page<Address>,
): Promise<Listed<HostLine> | Refusal> {
  const { systems } = drivers.os;
  if (query.os && !systems.includes(query.os)) {
    const message = `must be one of ${systems.join(', ')}, or empty`;
    return refuseFields('invalid_query', [{ path: '/os', message }], 'the query');
  }
  // What is no name is the name of no cluster.
  if (typeof cluster === 'string' && !isRecordName(cluster)) return { items: [], hasMore: false };
  const filter = { ...query, cluster };
  return listRecords(store, page, (reads, part) => reads.hosts.list(filter, part), addressInLine);
}

/** A host as lists tell of it, and the source of its facts. */
export async function getHost({ store }: Ports, address: Address) {
  return (await store.reads.hosts.line(address)) ?? unknownHost(address);
}
