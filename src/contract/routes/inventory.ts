import Type from 'typebox';
import { DEFAULT_TARGET_PORT } from '../../domain/defaults.ts';
import { Address, HostStatus, Labels } from '../fields.ts';
import { READERS, route } from '../route.ts';
import { hostFilters } from './hosts.ts';

const tag = 'Inventory';

export const HostVars = Type.Object({
  ansible_host: Address,
  ansible_port: Type.Integer({ description: 'The port of its sshd.' }),
  ansible_user: Type.String({ description: 'Whom it is entered as.' }),
  hostler_status: HostStatus,
  hostler_os: Type.String({ description: 'The kind of system; empty until known.' }),
  hostler_cluster: Type.String({ description: 'The cluster that it is in; empty: none.' }),
  hostler_labels: Labels,
  hostler_hostname: Type.Optional(
    Type.String({ description: 'As the host, or its source, calls it; left out until known.' }),
  ),
});

const AnsibleInventory = Type.Object(
  { _meta: Type.Object({ hostvars: Type.Record(Type.String(), HostVars) }) },
  {
    additionalProperties: Type.Object({ hosts: Type.Array(Address) }),
    description: 'Groups by name, and in `_meta` the variables of each host.',
  },
);

export const TargetGroup = Type.Object({
  targets: Type.Array(Type.String({ description: 'Address and port; IPv6 in brackets.' })),
  labels: Type.Record(Type.String(), Type.String()),
});

/** What other tools read. */
export const inventoryRoutes = {
  readAnsibleInventory: route({
    method: 'GET',
    path: '/api/v0/inventory/ansible',
    tag,
    summary: 'Hosts as a dynamic inventory of Ansible',
    description:
      'As inventory scripts print it for `--list`; with `host` what they print for `--host`. ' +
      'Groups are `status_…`, `os_…`, `cluster_…` and `label_KEY_VALUE`; hosts are called by their addresses.',
    roles: READERS,
    query: Type.Object({
      host: Type.Optional(
        Type.String({ maxLength: 128, description: 'The variables of the host at this address alone.' }),
      ),
      ...hostFilters,
    }),
    statuses: [200],
    answer: Type.Union([AnsibleInventory, HostVars]),
    refusals: [404],
  }),
  readPrometheusTargets: route({
    method: 'GET',
    path: '/api/v0/inventory/prometheus',
    tag,
    summary: 'Hosts as targets for the HTTP service discovery of Prometheus',
    description: 'What is known of each host is in labels that begin with `__meta_hostler_`.',
    roles: READERS,
    query: Type.Object({
      port: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 65_535,
          description: `The port of the targets. Default ${DEFAULT_TARGET_PORT}.`,
        }),
      ),
      ...hostFilters,
    }),
    statuses: [200],
    answer: Type.Array(TargetGroup),
  }),
};
