import type { EtcdClient } from '../../../clients/etcd/etcd-client.ts';
import type { EtcdEntry } from '../../../clients/etcd/gateway.ts';
import type { Address } from '../../../domain/addresses/address.ts';

/** A flanneld that still runs may renew its lease under us. */
const MOST_TRIES = 3;

function isLeasedTo({ value, isLeased }: EtcdEntry, host: Address): boolean {
  // One that has no end was reserved by people.
  if (!isLeased) return false;
  try {
    const lease: unknown = JSON.parse(value);
    return typeof lease === 'object' && lease !== null && 'PublicIP' in lease && lease.PublicIP === host;
  } catch {
    return false;
  }
}

/** Deletes the subnets that are leased to a host, and no other. */
export async function forgetLease(client: EtcdClient, folder: string, host: Address): Promise<void> {
  for (let left = MOST_TRIES; left > 0; left--) {
    const leases = (await client.getPrefix(folder)).filter(entry => isLeasedTo(entry, host));
    const areGone = await Promise.all(leases.map(lease => client.deleteUnchanged(lease)));
    if (areGone.every(Boolean)) return;
  }
  throw new Error(
    `the subnet lease of ${host} keeps being renewed; check whether flanneld still runs on the host`,
  );
}
