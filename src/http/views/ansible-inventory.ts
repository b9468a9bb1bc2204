import type { Static } from 'typebox';
import type { Inventory } from '../../app/inventory/read-inventory.ts';
import type { HostVars } from '../../contract/routes/inventory.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { AnsibleGroupNames, InventoryHost } from '../../domain/hosts/inventory.ts';

/** The variables of one host, as inventory scripts print them for `--host`. */
export const viewHostVars = (host: InventoryHost): Static<typeof HostVars> => ({
  ansible_host: host.address,
  ansible_port: host.sshPort,
  ansible_user: host.remoteUser,
  hostler_status: host.status,
  hostler_os: host.os,
  hostler_cluster: host.cluster ?? '',
  hostler_labels: host.labels,
  ...(host.hostname && { hostler_hostname: host.hostname }),
});

/** An inventory as scripts print it for `--list`, in parts: JSON of 100,000 hosts takes too long to be written at once. */
export function* ansibleInventory({ hosts, names }: Inventory<AnsibleGroupNames>): Generator<string> {
  const members = new Map<string, Address[]>();
  const join = (group: string, address: Address) => {
    const others = members.get(group);
    if (others) others.push(address);
    else members.set(group, [address]);
  };
  yield '{"_meta":{"hostvars":{';
  for (const [index, host] of hosts.entries()) {
    for (const group of names.groupsOf(host)) join(group, host.address);
    yield `${index > 0 ? ',' : ''}"${host.address}":${JSON.stringify(viewHostVars(host))}`;
  }
  yield '}}';
  for (const [group, addresses] of members) {
    yield `,"${group}":{"hosts":[`;
    for (const [index, address] of addresses.entries()) yield `${index > 0 ? ',' : ''}"${address}"`;
    yield ']}';
  }
  yield '}';
}
