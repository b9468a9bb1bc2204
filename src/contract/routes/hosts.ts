import Type from 'typebox';
import { DEFAULT_REMOTE_USER, DEFAULT_SSH_PORT, MAX_BULK_HOSTS, NAMES_PER_MINUTE } from '../../domain/defaults.ts';
import {
  Address,
  boolean,
  EmptyList,
  HostStatus,
  integer,
  LabelFilter,
  Labels,
  Limit,
  named,
  OptionalName,
  OptionalPrivateKey,
  Os,
  optionalText,
  Paging,
  PrivateKey,
  Problem,
  RemoteUser,
  Transport,
  text,
} from '../fields.ts';
import { defineRoute, ENROLLERS, READERS, WRITERS } from '../route-definition.ts';

const hostFields = {
  address: Address,
  status: HostStatus,
  os: Os('Operating system. Empty until known.'),
  cpus: integer('Number of online logical CPUs. 0 until known.'),
  memory: integer('RAM in KiB. 0 until known.'),
  space: integer('Size of all local file systems in KiB. 0 until known.'),
  last_check: text('Time of the last check in UTC. Empty until the first check.'),
};

/** The store precomputes the required fields (column `entry_json`): a new one needs a migration. */
export const HostEntry = named(
  'HostListEntry',
  Type.Object({
    ...hostFields,
    hostname: optionalText('Hostname that the host or its source reports. Empty until known. Only with `extended`.'),
    cluster: optionalText('Cluster of the host. Empty if it is in none. Only with `extended`.'),
    labels: Type.Optional(Labels),
    maintenance: Type.Optional(boolean('Whether the host is in maintenance. Only with `extended`.')),
    reason: optionalText('Why the host is `failed` or `unreachable`; otherwise empty. Only with `extended`.'),
  }),
);
export const Host = named(
  'Host',
  Type.Object({
    ...hostFields,
    source: text('Host source that provides the facts. Empty if they come from the host.'),
  }),
);

/** Without the address. */
const enrolmentFields = {
  ssh_priv_key: PrivateKey,
  remote_user: Type.Optional(
    RemoteUser(`SSH user. Default \`${DEFAULT_REMOTE_USER}\`. Other users need \`sudo\` without a password.`),
  ),
  cluster: Type.Optional(OptionalName),
  ssh_port: Type.Optional(integer(`SSH port. Default ${DEFAULT_SSH_PORT}.`, { minimum: 1, maximum: 65_535 })),
  host_keys: Type.Optional(
    Type.Array(text('Public host key, as in `/etc/ssh/ssh_host_*_key.pub`.', { maxLength: 16_384 }), {
      maxItems: 16,
      description:
        'Public host keys, pinned from the first connection. If omitted or empty, the server pins the key that the host presents first.',
    }),
  ),
  transport: Type.Optional(
    Transport('How the server connects to the host. Default, also if empty: the setting `transport`.'),
  ),
  source: optionalText(
    'Name of a host source in the configuration. Default, also if empty: the facts come from the host.',
    {
      maxLength: 128,
    },
  ),
  host: optionalText('Same as `address`.'),
};

const EnrolmentBody = named(
  'HostInput',
  Type.Object({
    ...enrolmentFields,
    address: optionalText('Address of the host. Must equal the address in the URL, if there is one.'),
  }),
);

const SelfEnrolmentBody = named(
  'SelfEnrolmentInput',
  Type.Object({ ...EnrolmentBody.properties, ssh_priv_key: OptionalPrivateKey }),
);

export const hostFilters = {
  status: Type.Optional(HostStatus),
  os: Type.Optional(
    Os('Only hosts with this operating system. If empty, only hosts whose operating system is not known yet.'),
  ),
  label: Type.Optional(
    Type.Union([LabelFilter, Type.Array(LabelFilter, { maxItems: 16 })], {
      description: 'Only hosts with this label, `key=value` or `key`. If repeated, all must match.',
      examples: ['rack=r12'],
    }),
  ),
  cluster: optionalText('Only members of this cluster. If empty, only hosts that are in no cluster.', {
    maxLength: 128,
  }),
};

const enrolDescription =
  'Stores the record, the credentials, the membership and the pending tasks in one transaction, and returns the host with the status `investigating`. Repeating the request restarts nothing; the server compares only the fields that the request contains.';

const get = { tag: 'Hosts', method: 'GET', roles: READERS } as const;
const put = { tag: 'Hosts', method: 'PUT', roles: WRITERS } as const;

export const hostRoutes = {
  listHosts: defineRoute({
    ...get,
    path: '/api/v0/hosts',
    summary: 'List hosts',
    query: Type.Object({
      limit: Type.Optional(Limit),
      after: Paging.properties.after,
      ...hostFilters,
      hostname: optionalText('Only hosts with this hostname, as the host or its source reports it, in any case.', {
        maxLength: 253,
      }),
      q: optionalText('Only hosts whose address, hostname or a label `key=value` contains this text, in any case.', {
        maxLength: 128,
      }),
      extended: Type.Optional(
        boolean('Also return `hostname`, `cluster`, `labels`, `maintenance` and `reason` of each host.'),
      ),
    }),
    response: Type.Array(HostEntry),
  }),
  getHost: defineRoute({
    ...get,
    path: '/api/v0/host/{address}',
    summary: 'Get a host',
    response: Host,
  }),
  putHost: defineRoute({
    ...put,
    path: '/api/v0/host/{address}',
    summary: 'Enrol a host',
    description: enrolDescription,
    body: EnrolmentBody,
    bodySize: 'document',
    statuses: [200, 201],
    response: Host,
    errorStatuses: [409],
  }),
  enrolSelf: defineRoute({
    ...put,
    path: '/api/v0/host',
    summary: 'Enrol the calling host',
    description: `The server uses the address of the client. \`admin\` and \`operator\` can name another address in \`host\` or \`address\`. With an enrolment token, \`host_keys\` is required and \`ssh_priv_key\` is optional. ${enrolDescription}`,
    roles: ENROLLERS,
    body: SelfEnrolmentBody,
    bodySize: 'document',
    statuses: [200, 201],
    response: Host,
    errorStatuses: [409],
  }),
  resolveName: defineRoute({
    ...get,
    path: '/api/v0/resolve',
    summary: 'Resolve a DNS name',
    description: `The server resolves the name, with its own \`/etc/hosts\` and DNS settings. A host can then be enrolled by an address. Each account can resolve ${NAMES_PER_MINUTE} names per minute.`,
    roles: WRITERS,
    query: Type.Object({
      name: Type.String({
        minLength: 1,
        maxLength: 253,
        // Resolvers accept numbers as addresses: `127.1` and `0x7f000001` are 127.0.0.1.
        pattern: '^(?!0[xX])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?\\.?$',
        rule: 'must be a DNS name',
        description: 'DNS name of a host.',
        examples: ['edge-1.example.com'],
      }),
    }),
    response: Type.Object({
      name: Type.String(),
      addresses: Type.Array(Address, { description: 'Sorted by numeric value, IPv4 first. Not empty.' }),
    }),
    errorStatuses: [404],
  }),
  removeHost: defineRoute({
    ...put,
    method: 'DELETE',
    path: '/api/v0/host/{address}',
    summary: 'Remove a host, its membership and its credentials',
    response: EmptyList,
    errorStatuses: [404, 409],
  }),
};

const addressField = { address: text('Address of the host.', { maxLength: 128 }) };

export const BulkHost = named('BulkHostInput', Type.Object({ ...addressField, ...enrolmentFields }));

const BulkInput = named(
  'BulkInput',
  Type.Object({
    hosts: Type.Array(
      // The handler validates the other fields per host, so one invalid host does not reject the others.
      Type.Union([BulkHost, Type.Object(addressField)], {
        rule: 'must be an object with an address of at most 128 characters',
      }),
      { description: `At most ${MAX_BULK_HOSTS} hosts, without duplicate addresses.` },
    ),
  }),
);

export const BulkResult = named(
  'BulkResult',
  Type.Object({
    address: text('Address of the host in canonical form. An invalid address is returned unchanged.'),
    status: integer(
      '201: the host was enrolled. 200: it was already enrolled with these fields. Other statuses: the server rejected the host, and `problem` contains the reason.',
    ),
    host: Type.Optional(Host),
    problem: Type.Optional(Problem),
  }),
);

export const bulkEnrolmentRoutes = {
  enrolHosts: defineRoute({
    ...put,
    path: '/api/v0/hosts/bulk',
    summary: 'Enrol many hosts',
    description:
      'The server enrols each host independently, like `PUT /api/v0/host/{address}`. A rejected host does not affect the others. The response has one result per host, in the order of the request. It is safe to repeat the request, even after a failure.',
    bodySize: 'hosts',
    body: BulkInput,
    response: Type.Array(BulkResult),
  }),
};
