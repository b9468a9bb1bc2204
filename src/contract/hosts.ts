import Type from 'typebox';
import { Address, EmptyList, HostStatus, Limit, NameOrNone, Paging, Timestamp } from './fields.ts';
import { ADMINS, ENROLLERS, READERS, route, WRITERS } from './route.ts';

const tag = 'Hosts';

const hostFields = {
  address: Address,
  status: HostStatus,
  os: Type.String({ description: 'The kind of system; empty until known.' }),
  cpus: Type.Integer({ description: 'Online logical CPUs; 0 until known.' }),
  memory: Type.Integer({ description: 'KiB of RAM; 0 until known.' }),
  space: Type.Integer({ description: 'KiB of all local file systems; 0 until known.' }),
  last_check: Type.String({ description: 'As other times; empty until the first check.' }),
};

/** The store keeps it ready (`listed_json`): another field here needs a migration there. */
export const ListedHost = Type.Object(hostFields);
export const Host = Type.Object({
  ...hostFields,
  source: Type.String({ description: 'The host source that the facts come from; empty: the host itself.' }),
});

export const HostCreds = Type.Object({
  ssh_priv_key: Type.String({ description: 'Base64, as it was sent.' }),
  remote_user: Type.String(),
});

export const HostStatusReport = Type.Object({
  type: Type.String({ description: "`host_only`, or the type of the cluster's container manager." }),
  host: Type.Object({ last_check: Type.String(), status: HostStatus, reason: Type.Optional(Type.String()) }),
  container_manager: Type.Object(
    {
      ready: Type.Optional(Type.Boolean()),
      schedulable: Type.Optional(Type.Boolean()),
      name: Type.Optional(Type.String()),
      reported_at: Type.Optional(Timestamp),
      reason: Type.Optional(Type.String({ description: 'Why it could not be asked.' })),
    },
    { description: 'Empty without a container manager.' },
  ),
});

const Body = Type.Object({
  ssh_priv_key: Type.String({
    minLength: 1,
    writeOnly: true,
    description:
      'An unencrypted private key (OpenSSH, PKCS#8 or PEM; ed25519, ECDSA or RSA) in base64 without newlines.',
  }),
  remote_user: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$',
      rule: 'must be a user name: 1 to 64 characters of A–Z a–z 0–9 _ . @ -, not starting with a sign',
      description: 'Default `root`; others use sudo without a password.',
    }),
  ),
  cluster: Type.Optional(NameOrNone),
  ssh_port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'Default 22.' })),
  host_keys: Type.Optional(
    Type.Array(Type.String({ maxLength: 16_384, description: 'As in /etc/ssh/ssh_host_*_key.pub.' }), {
      maxItems: 16,
      description: "The host's public keys; pinned from the first connection on.",
    }),
  ),
  source: Type.Optional(Type.String({ maxLength: 128, description: 'A host source of the configuration.' })),
  address: Type.Optional(
    Type.String({ description: "The host's address; must equal the one in the path, where there is one." }),
  ),
  host: Type.Optional(Type.String({ description: 'The same as `address`.' })),
});

const enrolDescription =
  'Stores the record, the credentials, the membership and the work to be done at once, and answers `investigating`. ' +
  'Repeating it restarts nothing: fields that are not given are not compared.';

export const hostRoutes = {
  listHosts: route({
    method: 'GET',
    path: '/api/v0/hosts',
    tag,
    summary: 'All hosts',
    roles: READERS,
    query: Type.Object({
      limit: Type.Optional(Limit),
      after: Paging.properties.after,
      status: Type.Optional(HostStatus),
      os: Type.Optional(Type.String({ maxLength: 64 })),
      cluster: Type.Optional(
        Type.String({ maxLength: 128, description: 'Members of this cluster; empty: of none.' }),
      ),
      q: Type.Optional(Type.String({ maxLength: 128, description: 'Part of the address.' })),
    }),
    statuses: [200],
    answer: Type.Array(ListedHost),
  }),
  getHost: route({
    method: 'GET',
    path: '/api/v0/host/{address}',
    tag,
    summary: 'A host',
    roles: READERS,
    statuses: [200],
    answer: Host,
    refusals: [404],
  }),
  putHost: route({
    method: 'PUT',
    path: '/api/v0/host/{address}',
    tag,
    summary: 'Enrols a host',
    description: enrolDescription,
    roles: WRITERS,
    body: Body,
    statuses: [200, 201],
    answer: Host,
    refusals: [409],
  }),
  putOwnHost: route({
    method: 'PUT',
    path: '/api/v0/host',
    tag,
    summary: 'Enrols the host that calls',
    description: `The address is the caller's; \`admin\` and \`operator\` may name another in \`host\` or \`address\`. ${enrolDescription}`,
    roles: ENROLLERS,
    body: Body,
    statuses: [200, 201],
    answer: Host,
    refusals: [409],
  }),
  removeHost: route({
    method: 'DELETE',
    path: '/api/v0/host/{address}',
    tag,
    summary: 'Removes a host, its membership and its credentials',
    roles: WRITERS,
    statuses: [200],
    answer: EmptyList,
    refusals: [404, 409],
  }),
  getHostCreds: route({
    method: 'GET',
    path: '/api/v0/host/{address}/creds',
    tag,
    summary: 'The credentials of a host',
    description: 'Every read is in the audit log.',
    roles: ADMINS,
    statuses: [200],
    answer: HostCreds,
    refusals: [404],
  }),
  getHostStatus: route({
    method: 'GET',
    path: '/api/v0/host/{address}/status',
    tag,
    summary: 'The status of a host and of its node',
    roles: READERS,
    statuses: [200],
    answer: HostStatusReport,
    refusals: [404],
  }),
};
