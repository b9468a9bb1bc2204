import Type from 'typebox';
import { DEFAULT_TARGET_PORT } from '../../domain/defaults.ts';
import { Address, HostStatus, integer, Labels, named, optionalText, text } from '../fields.ts';
import { defineRoute, READERS } from '../route-definition.ts';
import { hostFilters } from './hosts.ts';

export const HostVars = named(
  'AnsibleHostVariables',
  Type.Object({
    ansible_host: Address,
    ansible_port: integer('SSH port of the host.'),
    ansible_user: text('SSH user that Hostler logs in as.'),
    hostler_status: HostStatus,
    hostler_os: text('Operating system. Empty until known.'),
    hostler_cluster: text('Cluster of the host. Empty if it is in none.'),
    hostler_labels: Labels,
    hostler_hostname: optionalText('Hostname that the host or its source reports. Omitted until known.'),
  }),
);

const AnsibleInventory = named(
  'AnsibleInventory',
  Type.Object(
    { _meta: Type.Object({ hostvars: Type.Record(Type.String(), HostVars) }) },
    {
      additionalProperties: Type.Object({ hosts: Type.Array(Address) }),
      description: 'Groups by name. `_meta` contains the variables of each host.',
    },
  ),
);

export const TargetGroup = named(
  'PrometheusTargetGroup',
  Type.Object({
    targets: Type.Array(text('Address and port. IPv6 addresses are in brackets.')),
    labels: Type.Record(Type.String(), Type.String()),
  }),
);

const get = { tag: 'Inventory', method: 'GET', roles: READERS } as const;

export const inventoryRoutes = {
  getAnsibleInventory: defineRoute({
    ...get,
    path: '/api/v0/inventory/ansible',
    summary: 'Get the hosts as an Ansible inventory',
    description:
      'Returns the output of an inventory script for `--list`, or for `--host` if `host` is set. Groups are `status_…`, `os_…`, `cluster_…` and `label_KEY_VALUE`. Hosts are named by their addresses.',
    query: Type.Object({
      host: optionalText('Return only the variables of the host with this address.', { maxLength: 128 }),
      ...hostFilters,
    }),
    response: Type.Union([AnsibleInventory, HostVars]),
    errorStatuses: [404],
  }),
  getPrometheusTargets: defineRoute({
    ...get,
    path: '/api/v0/inventory/prometheus',
    summary: 'Get the hosts as targets for Prometheus HTTP service discovery',
    description: 'Labels that begin with `__meta_hostler_` contain the properties of each host.',
    query: Type.Object({
      port: Type.Optional(
        integer(`Port of the targets. Default ${DEFAULT_TARGET_PORT}.`, { minimum: 1, maximum: 65_535 }),
      ),
      ...hostFilters,
    }),
    response: Type.Array(TargetGroup),
  }),
};
