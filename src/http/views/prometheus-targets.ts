import type { Static } from 'typebox';
import type { Inventory } from '../../app/inventory/read-inventory.ts';
import type { TargetGroup } from '../../contract/routes/inventory.ts';
import type { InventoryHost } from '../../domain/hosts/inventory.ts';
import { hostAndPort } from '../../lib/text/host-and-port.ts';
import type { UniqueNames } from '../../lib/text/unique-names.ts';

/** To Prometheus an empty label is none; so what is not known needs not be left out. */
const viewTarget = (host: InventoryHost, names: UniqueNames, port: number): Static<typeof TargetGroup> => ({
  targets: [hostAndPort(host.address, port)],
  labels: {
    __meta_hostler_address: host.address,
    __meta_hostler_status: host.status,
    __meta_hostler_os: host.os,
    __meta_hostler_cluster: host.cluster ?? '',
    __meta_hostler_hostname: host.hostname,
    ...Object.fromEntries(Object.entries(host.labels).map(([key, value]) => [names.of(key), value])),
  },
});

/** Hosts as Prometheus reads them from a URL, in parts. Each has labels of its own, so each is a group. */
export function* prometheusTargets(
  { hosts, names }: Inventory<UniqueNames>,
  port: number,
): Generator<string> {
  yield '[';
  for (const [index, host] of hosts.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(viewTarget(host, names, port))}`;
  }
  yield ']';
}
