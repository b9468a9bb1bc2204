import type { Address } from '../../domain/address.ts';
import { Refusal } from '../../domain/errors.ts';
import { addressInLine } from '../../domain/host.ts';
import type { Page } from '../../domain/page.ts';
import type { HostFilter } from '../../store/repositories/hosts.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';

export const unknownHost = (address: Address) => new Refusal('not_found', `there is no host ${address}`);

export const listHosts = ({ store }: Ports, filter: HostFilter, page: Page<Address>) =>
  listRecords(store, page, (reads, part) => reads.hosts.list(filter, part), addressInLine);

/** A host as lists tell of it, and the source of its facts. */
export async function getHost({ store }: Ports, address: Address) {
  return (await store.reads.hosts.line(address)) ?? unknownHost(address);
}
