import type { Address } from '../../domain/address.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Host } from '../../domain/host.ts';
import type { Page } from '../../domain/page.ts';
import type { HostFilter } from '../../store/repositories/hosts.ts';
import type { Ports } from '../ports.ts';

export const unknownHost = (address: Address) => new Refusal('not_found', `there is no host ${address}`);

export const listHosts = ({ store }: Ports, filter: HostFilter, page: Page<Address>) =>
  store.reads.hosts.list(filter, page);

export async function getHost({ store }: Ports, address: Address): Promise<Host | Refusal> {
  return (await store.reads.hosts.get(address)) ?? unknownHost(address);
}
