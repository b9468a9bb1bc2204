import Type from 'typebox';
import { CLUSTER_STATUSES } from '../../domain/vocabulary.ts';
import { Addresses, EmptyList, MatchesPath, Name, Names, OptionalName, Paging } from '../fields.ts';
import { PolicyInput } from '../policy.ts';
import { defineRoute, READERS, WRITERS } from '../route-definition.ts';

const tag = 'Clusters';

export const Cluster = Type.Object({
  name: Type.String(),
  status: Type.Enum(CLUSTER_STATUSES, {
    description:
      '`ok`: there are no members, or all are active. `failed`: there are members, and none is active, investigating or bootstrapping. `degraded`: all other cases. A member in maintenance does not count as active.',
  }),
  network: Type.String(),
  container_manager: Type.String({ description: 'Empty if the cluster has none.' }),
  hosts: Type.Object({
    total: Type.Integer(),
    available: Type.Integer({ description: 'Members that are `active` and not in maintenance.' }),
    unavailable: Type.Integer(),
  }),
});

const ClusterBody = Type.Object({
  name: MatchesPath('name'),
  network: Name,
  container_manager: Type.Optional(OptionalName),
});

const MembersBody = Type.Object({
  old: Type.Array(Type.String(), { description: 'Current members as the client knows them, in any order.' }),
  new: Type.Array(Type.String(), { description: 'New members.' }),
});

const PolicyBody = Type.Object(
  { ...PolicyInput.properties, name: MatchesPath('name') },
  { additionalProperties: false },
);

export const clusterRoutes = {
  listClusters: defineRoute({
    method: 'GET',
    path: '/api/v0/cluster/',
    aliases: ['/api/v0/clusters'],
    tag,
    summary: 'List cluster names',
    roles: READERS,
    query: Paging,
    statuses: [200],
    response: Names,
  }),
  getCluster: defineRoute({
    method: 'GET',
    path: '/api/v0/cluster/{name}',
    tag,
    summary: 'Get a cluster',
    roles: READERS,
    statuses: [200],
    response: Cluster,
    errorStatuses: [404],
  }),
  putCluster: defineRoute({
    method: 'PUT',
    path: '/api/v0/cluster/{name}',
    tag,
    summary: 'Create or replace a cluster',
    description:
      'Repeating the request with the same content changes nothing. With `If-Match`, it replaces the settings and keeps the members.',
    roles: WRITERS,
    body: ClusterBody,
    statuses: [200, 201],
    response: Cluster,
    supportsIfMatch: true,
    errorStatuses: [409],
  }),
  removeCluster: defineRoute({
    method: 'DELETE',
    path: '/api/v0/cluster/{name}',
    tag,
    summary: 'Remove a cluster',
    description: 'The hosts of the cluster are not removed.',
    roles: WRITERS,
    statuses: [200],
    response: EmptyList,
    supportsIfMatch: true,
    errorStatuses: [404, 409],
  }),
  listMembers: defineRoute({
    method: 'GET',
    path: '/api/v0/cluster/{name}/hosts',
    tag,
    summary: 'List the members of a cluster',
    roles: READERS,
    query: Paging,
    statuses: [200],
    response: Addresses,
    errorStatuses: [404],
  }),
  replaceMembers: defineRoute({
    method: 'PUT',
    path: '/api/v0/cluster/{name}/hosts',
    tag,
    summary: 'Replace the members of a cluster',
    description:
      'Compare-and-set: if `old` is not the current list, the server returns 409 and changes nothing. Otherwise it returns the new list.',
    roles: WRITERS,
    body: MembersBody,
    bodySize: 'addresses',
    statuses: [200],
    response: Addresses,
    errorStatuses: [404, 409],
  }),
  getMember: defineRoute({
    method: 'GET',
    path: '/api/v0/cluster/{name}/hosts/{address}',
    tag,
    summary: 'Check whether a host is a member of a cluster',
    description: 'Returns 200 with the address in a list if the host is a member, otherwise 404.',
    roles: READERS,
    statuses: [200],
    response: Addresses,
    errorStatuses: [404],
  }),
  addMember: defineRoute({
    method: 'PUT',
    path: '/api/v0/cluster/{name}/hosts/{address}',
    tag,
    summary: 'Add a host to a cluster',
    roles: WRITERS,
    body: Type.Object({
      name: MatchesPath('name'),
      host: MatchesPath('address'),
      address: MatchesPath('address'),
    }),
    statuses: [200],
    response: Addresses,
    errorStatuses: [404, 409],
  }),
  getClusterPolicy: defineRoute({
    method: 'GET',
    path: '/api/v0/cluster/{name}/policy',
    tag,
    summary: 'Get the default policy for operations on a cluster',
    description: 'Returns only the fields that were set. The built-in defaults apply to the others.',
    roles: READERS,
    statuses: [200],
    response: PolicyInput,
    errorStatuses: [404],
  }),
  putClusterPolicy: defineRoute({
    method: 'PUT',
    path: '/api/v0/cluster/{name}/policy',
    tag,
    summary: 'Replace the default policy for operations on a cluster',
    description:
      'The built-in defaults apply to fields that are not in the request. Running operations keep their policy. `dry_run` is rejected.',
    roles: WRITERS,
    body: PolicyBody,
    bodySize: 'addresses',
    statuses: [200],
    response: PolicyInput,
    errorStatuses: [404],
  }),
  removeMember: defineRoute({
    method: 'DELETE',
    path: '/api/v0/cluster/{name}/hosts/{address}',
    tag,
    summary: 'Remove a host from a cluster',
    description: 'Also succeeds if the host is not a member.',
    roles: WRITERS,
    statuses: [200],
    response: EmptyList,
    errorStatuses: [404, 409],
  }),
};
