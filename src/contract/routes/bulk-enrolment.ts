import Type from 'typebox';
import { Problem } from '../problem.ts';
import { route, WRITERS } from '../route.ts';
import { enrolFields, Host } from './hosts.ts';

const named = { address: Type.String({ maxLength: 128, description: 'Address of the host.' }) };

/** One host of the request. */
export const BulkHost = Type.Object({ ...named, ...enrolFields });

export const BulkResult = Type.Object({
  address: Type.String({
    description: 'Address of the host in canonical form. An invalid address is returned unchanged.',
  }),
  status: Type.Integer({
    description:
      '201: the host was enrolled. 200: it was already enrolled with these fields. Other statuses: the server rejected the host, and `problem` contains the reason.',
  }),
  host: Type.Optional(Host),
  problem: Type.Optional(Problem),
});

export const bulkEnrolmentRoutes = {
  enrolHosts: route({
    method: 'PUT',
    path: '/api/v0/hosts/bulk',
    tag: 'Hosts',
    summary: 'Enrol many hosts',
    description:
      'The server enrols each host independently, like `PUT /api/v0/host/{address}`. A rejected host does not affect the others. ' +
      'The response has one result per host, in the order of the request. It is safe to repeat the request, even after a failure.',
    roles: WRITERS,
    bodySize: 'hosts',
    body: Type.Object({
      hosts: Type.Array(
        // Only the address is validated here. The other fields are validated per host, so that one invalid host does not reject the others.
        Type.Union([BulkHost, Type.Object(named)], {
          rule: 'must be an object with an address of at most 128 characters',
        }),
        { description: 'At most `limit_bulk_hosts` hosts, without duplicate addresses.' },
      ),
    }),
    statuses: [200],
    answer: Type.Array(BulkResult),
  }),
};
