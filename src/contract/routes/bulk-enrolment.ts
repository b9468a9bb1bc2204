import Type from 'typebox';
import { Problem } from '../problem.ts';
import { route, WRITERS } from '../route.ts';
import { enrolFields, Host } from './hosts.ts';

const named = { address: Type.String({ maxLength: 128, description: "The host's address." }) };

/** One of several hosts that are enrolled. */
export const BulkHost = Type.Object({ ...named, ...enrolFields });

export const BulkResult = Type.Object({
  address: Type.String({ description: 'As in lists of hosts; what is no address, as it was sent.' }),
  status: Type.Integer({
    description: '201: enrolled; 200: known as sent; else it was refused, and `problem` says why.',
  }),
  host: Type.Optional(Host),
  problem: Type.Optional(Problem),
});

export const bulkEnrolmentRoutes = {
  enrolHosts: route({
    method: 'PUT',
    path: '/api/v0/hosts/bulk',
    tag: 'Hosts',
    summary: 'Enrols many hosts',
    description:
      'Each by itself, as `PUT /api/v0/host/{address}` does: what is wrong with one is told in its result, and keeps no other out. ' +
      'One result for each, in their order. To send it again, also after a failure in between, is safe.',
    roles: WRITERS,
    bodySize: 'hosts',
    body: Type.Object({
      hosts: Type.Array(
        // What has an address comes through: the rest is checked for each host, so that one keeps no other out.
        Type.Union([BulkHost, Type.Object(named)], {
          rule: 'must be an object with an address, a text of at most 128 characters',
        }),
        { description: 'At most `limit_bulk_hosts` of them, and no address twice.' },
      ),
    }),
    statuses: [200],
    answer: Type.Array(BulkResult),
  }),
};
