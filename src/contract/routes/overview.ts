import Type from 'typebox';
import { HOST_STATUSES } from '../../domain/vocabulary.ts';
import { READERS, route } from '../route.ts';
import { Cluster } from './clusters.ts';

export const Overview = Type.Object({
  hosts: Type.Object({
    total: Type.Integer(),
    in_maintenance: Type.Integer({ description: 'Hosts in maintenance, with any status.' }),
    by_status: Type.Record(Type.Enum(HOST_STATUSES), Type.Integer(), {
      description: 'Number of hosts for each status, including statuses without hosts.',
    }),
  }),
  clusters: Type.Array(Cluster, { description: 'All clusters, sorted by name (code points).' }),
  operations: Type.Object({ in_process: Type.Integer({ description: 'Operations that have not ended.' }) }),
});

export const overviewRoutes = {
  getOverview: route({
    method: 'GET',
    path: '/api/v0/overview',
    tag: 'Service',
    summary: 'Count hosts and operations, and list all clusters',
    roles: READERS,
    statuses: [200],
    answer: Overview,
  }),
};
