import Type from 'typebox';
import { CLUSTER_STATUSES } from '../../domain/vocabulary.ts';
import { Addresses, EmptyList, Name, NameOrNone, Names, Paging, Repeated } from '../fields.ts';
import { PolicyWish } from '../policy.ts';
import { READERS, route, WRITERS } from '../route.ts';

const tag = 'Clusters';

export const Cluster = Type.Object({
  name: Type.String(),
  status: Type.Enum(CLUSTER_STATUSES, {
    description:
      '`ok`: no members, or all active. `failed`: members, none active and none on its way. `degraded`: between. In maintenance no member counts as active.',
  }),
  network: Type.String(),
  container_manager: Type.String({ description: 'Empty: none.' }),
  hosts: Type.Object({
    total: Type.Integer(),
    available: Type.Integer({ description: 'Members that are `active` and not in maintenance.' }),
    unavailable: Type.Integer(),
  }),
});

const ClusterBody = Type.Object({
  name: Repeated('name'),
  network: Name,
  container_manager: Type.Optional(NameOrNone),
});

const MembersBody = Type.Object({
  old: Type.Array(Type.String(), { description: 'The list as the caller knows it, in any order.' }),
  new: Type.Array(Type.String(), { description: 'The list as it shall be.' }),
});

const PolicyBody = Type.Object(
  { ...PolicyWish.properties, name: Repeated('name') },
  { additionalProperties: false },
);

export const clusterRoutes = {
  listClusters: route({
    method: 'GET',
    path: '/api/v0/cluster/',
    aliases: ['/api/v0/clusters'],
    tag,
    summary: 'Names of all clusters',
    roles: READERS,
    query: Paging,
    statuses: [200],
    answer: Names,
  }),
  getCluster: route({
    method: 'GET',
    path: '/api/v0/cluster/{name}',
    tag,
    summary: 'A cluster',
    roles: READERS,
    statuses: [200],
    answer: Cluster,
    refusals: [404],
  }),
  putCluster: route({
    method: 'PUT',
    path: '/api/v0/cluster/{name}',
    tag,
    summary: 'Creates a cluster',
    description:
      'Repeating it with the same content changes nothing. With `If-Match` it replaces the settings; the members stay.',
    roles: WRITERS,
    body: ClusterBody,
    statuses: [200, 201],
    answer: Cluster,
    isConditional: true,
    refusals: [409],
  }),
  removeCluster: route({
    method: 'DELETE',
    path: '/api/v0/cluster/{name}',
    tag,
    summary: 'Removes a cluster',
    description: 'Its members stay as hosts.',
    roles: WRITERS,
    statuses: [200],
    answer: EmptyList,
    isConditional: true,
    refusals: [404, 409],
  }),
  listMembers: route({
    method: 'GET',
    path: '/api/v0/cluster/{name}/hosts',
    tag,
    summary: "Addresses of a cluster's members",
    roles: READERS,
    query: Paging,
    statuses: [200],
    answer: Addresses,
    refusals: [404],
  }),
  replaceMembers: route({
    method: 'PUT',
    path: '/api/v0/cluster/{name}/hosts',
    tag,
    summary: 'Replaces the list of members',
    description: 'Nothing changes unless `old` is the current list: a compare-and-set. Answers the new list.',
    roles: WRITERS,
    body: MembersBody,
    bodySize: 'addresses',
    statuses: [200],
    answer: Addresses,
    refusals: [404, 409],
  }),
  testMember: route({
    method: 'GET',
    path: '/api/v0/cluster/{name}/hosts/{address}',
    tag,
    summary: 'Whether a host is a member',
    description: '200 and the address if so, else 404.',
    roles: READERS,
    statuses: [200],
    answer: Addresses,
    refusals: [404],
  }),
  addMember: route({
    method: 'PUT',
    path: '/api/v0/cluster/{name}/hosts/{address}',
    tag,
    summary: 'Makes a host a member',
    roles: WRITERS,
    body: Type.Object({ name: Repeated('name'), host: Repeated('address'), address: Repeated('address') }),
    statuses: [200],
    answer: Addresses,
    refusals: [404, 409],
  }),
  getClusterPolicy: route({
    method: 'GET',
    path: '/api/v0/cluster/{name}/policy',
    tag,
    summary: 'What operations on a cluster keep to, where they are not asked otherwise',
    description: 'Only what was set; the rest is as everywhere.',
    roles: READERS,
    statuses: [200],
    answer: PolicyWish,
    refusals: [404],
  }),
  putClusterPolicy: route({
    method: 'PUT',
    path: '/api/v0/cluster/{name}/policy',
    tag,
    summary: 'Replaces what operations on a cluster keep to',
    description:
      'Fields that are not sent are as everywhere. Running operations keep what they began with. `dry_run` is refused.',
    roles: WRITERS,
    body: PolicyBody,
    bodySize: 'addresses',
    statuses: [200],
    answer: PolicyWish,
    refusals: [404],
  }),
  removeMember: route({
    method: 'DELETE',
    path: '/api/v0/cluster/{name}/hosts/{address}',
    tag,
    summary: 'Takes a host out of the cluster',
    description: 'Also fine when it was not in.',
    roles: WRITERS,
    statuses: [200],
    answer: EmptyList,
    refusals: [404, 409],
  }),
};
