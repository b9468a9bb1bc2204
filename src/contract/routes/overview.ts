import Type from 'typebox';
import { HOST_STATUSES } from '../../domain/vocabulary.ts';
import { READERS, route } from '../route.ts';
import { Cluster } from './clusters.ts';

export const Overview = Type.Object({
  hosts: Type.Object({
    total: Type.Integer(),
    in_maintenance: Type.Integer({ description: 'In any status.' }),
    by_status: Type.Record(Type.Enum(HOST_STATUSES), Type.Integer(), {
      description: 'How many hosts have each status; every status is named.',
    }),
  }),
  clusters: Type.Array(Cluster, { description: 'All of them, ordered by code point of the name.' }),
  operations: Type.Object({ in_process: Type.Integer({ description: 'Those that are not over.' }) }),
});

export const overviewRoutes = {
  getOverview: route({
    method: 'GET',
    path: '/api/v0/overview',
    tag: 'Service',
    summary: 'All there is, in numbers, and every cluster',
    roles: READERS,
    statuses: [200],
    answer: Overview,
  }),
};
