import type { Inventory } from '../../app/hosts/read-inventory.ts';
import type { App } from '../../app/index.ts';
import type { HostVars, inventoryRoutes, TargetGroup } from '../../contract/routes/inventory.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { DEFAULT_TARGET_PORT } from '../../domain/defaults.ts';
import { AppError } from '../../domain/errors.ts';
import type { AnsibleGroupNames, InventoryHost } from '../../domain/hosts/inventory.ts';
import { formatHostPort } from '../../lib/text.ts';
import type { UniqueNames } from '../../lib/unique-names.ts';
import { respond } from '../register-route.ts';
import type { HandlersFor, View } from '../request-context.ts';
import { SerializedJson } from '../responses/serialized-json.ts';
import { parseHostParameter, toHostListQuery } from './query-parameters.ts';

/** Output of an inventory script for `--host`. */
const viewHostVars = (host: InventoryHost): View<typeof HostVars> => ({
  ansible_host: host.address,
  ansible_port: host.sshPort,
  ansible_user: host.remoteUser,
  hostler_status: host.status,
  hostler_os: host.os,
  hostler_cluster: host.cluster ?? '',
  hostler_labels: host.labels,
  hostler_hostname: host.hostname || undefined,
});

/** Output for `--list`, in fragments: serializing 100,000 hosts at once would block the event loop. */
function* renderAnsibleInventory({ hosts, names }: Inventory<AnsibleGroupNames>): Generator<string> {
  const members = new Map<string, Address[]>();
  const addToGroup = (group: string, address: Address) => {
    const existing = members.get(group);
    if (existing) existing.push(address);
    else members.set(group, [address]);
  };
  yield '{"_meta":{"hostvars":{';
  for (const [index, host] of hosts.entries()) {
    for (const group of names.groupsOf(host)) addToGroup(group, host.address);
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

/** Prometheus treats an empty label as missing, so unknown values need not be omitted. */
const viewTarget = (host: InventoryHost, names: UniqueNames, port: number): View<typeof TargetGroup> => ({
  targets: [formatHostPort(host.address, port)],
  labels: {
    __meta_hostler_address: host.address,
    __meta_hostler_status: host.status,
    __meta_hostler_os: host.os,
    __meta_hostler_cluster: host.cluster ?? '',
    __meta_hostler_hostname: host.hostname,
    ...Object.fromEntries(Object.entries(host.labels).map(([key, value]) => [names.get(key), value])),
  },
});

/** For `http_sd_configs` of Prometheus. Each host is a group because it has its own labels. */
function* renderPrometheusTargets({ hosts, names }: Inventory<UniqueNames>, port: number): Generator<string> {
  yield '[';
  for (const [index, host] of hosts.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(viewTarget(host, names, port))}`;
  }
  yield ']';
}

export const inventoryHandlers = ({ inventory }: App): HandlersFor<typeof inventoryRoutes> => ({
  getAnsibleInventory: async ({ query }) => {
    const host = parseHostParameter(query);
    if (host instanceof AppError) return host;
    const filters = toHostListQuery(query);
    if (host !== undefined) return respond(await inventory.host(filters, host), viewHostVars);
    return respond(await inventory.forAnsible(filters), result =>
      SerializedJson.fromFragments(renderAnsibleInventory(result)),
    );
  },

  getPrometheusTargets: async ({ query: { port = DEFAULT_TARGET_PORT, ...filters } }) =>
    respond(await inventory.forPrometheus(toHostListQuery(filters)), result =>
      SerializedJson.fromFragments(renderPrometheusTargets(result, port)),
    ),
});
