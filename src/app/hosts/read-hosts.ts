import type { Address } from '../../domain/address.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Host } from '../../domain/host.ts';
import { addressInLine } from '../../domain/host.ts';
import type { Page } from '../../domain/page.ts';
import type { HostFilter } from '../../store/repositories/hosts.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';

export const unknownHost = (address: Address) => new Refusal('not_found', `there is no host ${address}`);

export const listHosts = ({ store }: Ports, filter: HostFilter, page: Page<Address>) =>
  listRecords(store, page, (reads, part) => reads.hosts.list(filter, part), addressInLine);

export async function getHost({ store }: Ports, address: Address): Promise<Host | Refusal> {
  return (await store.reads.hosts.get(address)) ?? unknownHost(address);
}
