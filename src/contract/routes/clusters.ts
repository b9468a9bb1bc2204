import Type from 'typebox';
import { CLUSTER_STATUSES } from '../../domain/vocabulary.ts';
import {
  Addresses,
  EmptyList,
  ExtendedPaging,
  integer,
  MatchesPath,
  Name,
  Names,
  named,
  OptionalName,
  Paging,
  text,
} from '../fields.ts';
import { PolicyInput } from '../policy.ts';
import { defineRoute, READERS, WRITERS } from '../route-definition.ts';

const tag = 'Clusters';

export const Cluster = named(
  'Cluster',
  Type.Object({
    name: Type.String(),
    status: Type.Enum(CLUSTER_STATUSES, {
      description:
        '`ok`: there are no members, or all are active. `failed`: there are members, and none is active, investigating or bootstrapping. `degraded`: all other cases. A member in maintenance does not count as active.',
    }),
    network: Type.String(),
    container_manager: text('Empty if the cluster has none.'),
    hosts: Type.Object({
      total: Type.Integer(),
      available: integer('Members that are `active` and not in maintenance.'),
      unavailable: Type.Integer(),
    }),
  }),
);

const ClusterBody = named(
  'ClusterInput',
  Type.Object({
    name: MatchesPath('name'),
    network: Name,
    container_manager: Type.Optional(OptionalName),
  }),
);

const MembersBody = named(
  'MembersInput',
  Type.Object({
    old: Type.Array(Type.String(), { description: 'Current members as the client knows them, in any order.' }),
    new: Type.Array(Type.String(), { description: 'New members.' }),
  }),
);

const PolicyBody = named(
  'ClusterPolicyInput',
  Type.Object({ ...PolicyInput.properties, name: MatchesPath('name') }, { additionalProperties: false }),
);

const MemberBody = named(
  'MemberInput',
  Type.Object({ name: MatchesPath('name'), host: MatchesPath('address'), address: MatchesPath('address') }),
);

const get = { tag, method: 'GET', roles: READERS } as const;
const put = { tag, method: 'PUT', roles: WRITERS } as const;
const remove = { tag, method: 'DELETE', roles: WRITERS, response: EmptyList } as const;

export const clusterRoutes = {
  listClusters: defineRoute({
    ...get,
    path: '/api/v0/cluster/',
    aliases: ['/api/v0/clusters'],
    summary: 'List clusters',
    query: ExtendedPaging,
    response: Names,
    extendedResponse: Type.Array(Cluster),
  }),
  getCluster: defineRoute({
    ...get,
    path: '/api/v0/cluster/{name}',
    summary: 'Get a cluster',
    response: Cluster,
  }),
  putCluster: defineRoute({
    ...put,
    path: '/api/v0/cluster/{name}',
    summary: 'Create or replace a cluster',
    description:
      'Repeating the request with the same content changes nothing. With `If-Match`, it replaces the settings and keeps the members.',
    body: ClusterBody,
    statuses: [200, 201],
    response: Cluster,
    supportsIfMatch: true,
    errorStatuses: [409],
  }),
  removeCluster: defineRoute({
    ...remove,
    path: '/api/v0/cluster/{name}',
    summary: 'Remove a cluster',
    description: 'The hosts of the cluster are not removed.',
    supportsIfMatch: true,
    errorStatuses: [404, 409],
  }),
  listMembers: defineRoute({
    ...get,
    path: '/api/v0/cluster/{name}/hosts',
    summary: 'List the members of a cluster',
    query: Paging,
    response: Addresses,
  }),
  replaceMembers: defineRoute({
    ...put,
    path: '/api/v0/cluster/{name}/hosts',
    summary: 'Replace the members of a cluster',
    description:
      'Compare-and-set: if `old` is not the current list, the server returns 409 and changes nothing. Otherwise it returns the new list.',
    body: MembersBody,
    bodySize: 'addresses',
    response: Addresses,
    errorStatuses: [404, 409],
  }),
  getMember: defineRoute({
    ...get,
    path: '/api/v0/cluster/{name}/hosts/{address}',
    summary: 'Check whether a host is a member of a cluster',
    description: 'Returns 200 with the address in a list if the host is a member, otherwise 404.',
    response: Addresses,
  }),
  addMember: defineRoute({
    ...put,
    path: '/api/v0/cluster/{name}/hosts/{address}',
    summary: 'Add a host to a cluster',
    body: MemberBody,
    response: Addresses,
    errorStatuses: [404, 409],
  }),
  getClusterPolicy: defineRoute({
    ...get,
    path: '/api/v0/cluster/{name}/policy',
    summary: 'Get the default policy for operations on a cluster',
    description: 'Returns only the fields that were set. The built-in defaults apply to the others.',
    response: PolicyInput,
  }),
  putClusterPolicy: defineRoute({
    ...put,
    path: '/api/v0/cluster/{name}/policy',
    summary: 'Replace the default policy for operations on a cluster',
    description:
      'The built-in defaults apply to fields that are not in the request. Running operations keep their policy. `dry_run` is rejected.',
    body: PolicyBody,
    bodySize: 'addresses',
    response: PolicyInput,
    errorStatuses: [404],
  }),
  removeMember: defineRoute({
    ...remove,
    path: '/api/v0/cluster/{name}/hosts/{address}',
    summary: 'Remove a host from a cluster',
    description: 'Also succeeds if the host is not a member.',
    errorStatuses: [404, 409],
  }),
};
