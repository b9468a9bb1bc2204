import Type from 'typebox';
import { DEFAULT_REMOTE_USER, DEFAULT_SSH_PORT } from '../../domain/defaults.ts';
import {
  Address,
  EmptyList,
  HostStatus,
  LabelFilter,
  Labels,
  Limit,
  NameOrNone,
  Os,
  OwnPrivateKey,
  Paging,
  PrivateKey,
  RemoteUser,
  Transport,
} from '../fields.ts';
import { ENROLLERS, READERS, route, WRITERS } from '../route.ts';

const tag = 'Hosts';

const hostFields = {
  address: Address,
  status: HostStatus,
  os: Os('The kind of system; empty until known.'),
  cpus: Type.Integer({ description: 'Online logical CPUs; 0 until known.' }),
  memory: Type.Integer({ description: 'KiB of RAM; 0 until known.' }),
  space: Type.Integer({ description: 'KiB of all local file systems; 0 until known.' }),
  last_check: Type.String({ description: 'As other times; empty until the first check.' }),
};

/** The store keeps ready what it always has (`listed_json`): another field of those needs a migration there. */
export const ListedHost = Type.Object({
  ...hostFields,
  hostname: Type.Optional(
    Type.String({ description: 'As the host, or its source, calls it; empty until known. `extended` only.' }),
  ),
  cluster: Type.Optional(Type.String({ description: 'The cluster it is in; empty: none. `extended` only.' })),
  labels: Type.Optional(Labels),
  maintenance: Type.Optional(Type.Boolean({ description: 'Whether it is in maintenance. `extended` only.' })),
  reason: Type.Optional(
    Type.String({ description: 'Why it is `failed` or `unreachable`; empty otherwise. `extended` only.' }),
  ),
});
export const Host = Type.Object({
  ...hostFields,
  source: Type.String({ description: 'The host source that the facts come from; empty: the host itself.' }),
});

/** What a host is enrolled with, beside its address. */
export const enrolFields = {
  ssh_priv_key: PrivateKey,
  remote_user: Type.Optional(
    RemoteUser(`Default \`${DEFAULT_REMOTE_USER}\`; others use sudo without a password.`),
  ),
  cluster: Type.Optional(NameOrNone),
  ssh_port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, description: `Default ${DEFAULT_SSH_PORT}.` }),
  ),
  host_keys: Type.Optional(
    Type.Array(Type.String({ maxLength: 16_384, description: 'As in /etc/ssh/ssh_host_*_key.pub.' }), {
      maxItems: 16,
      description:
        "The host's public keys; pinned from the first connection on. Empty: as if not given, so whatever it shows first.",
    }),
  ),
  transport: Type.Optional(
    Transport('By which transport it is reached. Default, and empty: the one of the configuration.'),
  ),
  source: Type.Optional(Type.String({ maxLength: 128, description: 'A host source of the configuration.' })),
  host: Type.Optional(Type.String({ description: 'The same as `address`.' })),
};

const Body = Type.Object({
  ...enrolFields,
  address: Type.Optional(
    Type.String({ description: "The host's address; must equal the one in the path, where there is one." }),
  ),
});

const OwnBody = Type.Object({ ...Body.properties, ssh_priv_key: OwnPrivateKey });

/** What lists of hosts, and inventories, can be asked for. */
export const hostFilters = {
  status: Type.Optional(HostStatus),
  os: Type.Optional(Os('The kind of system; empty: of hosts that nobody has looked at.')),
  label: Type.Optional(
    Type.Union([LabelFilter, Type.Array(LabelFilter, { maxItems: 16 })], {
      rule: 'must be key=value or key, of a label; up to 16 of them',
      description: 'Only hosts with this label, `key=value` or `key`. When repeated, with all of them.',
    }),
  ),
  cluster: Type.Optional(
    Type.String({ maxLength: 128, description: 'Members of this cluster; empty: of none.' }),
  ),
};

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
      ...hostFilters,
      hostname: Type.Optional(
        Type.String({
          maxLength: 253,
          description: 'As the host, or its source, calls it; the whole of it.',
        }),
      ),
      q: Type.Optional(Type.String({ maxLength: 128, description: 'Part of the address.' })),
      extended: Type.Optional(
        Type.Boolean({
          description: 'Each host also with `hostname`, `cluster`, `labels`, `maintenance` and `reason`.',
        }),
      ),
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
    bodySize: 'document',
    statuses: [200, 201],
    answer: Host,
    refusals: [409],
  }),
  putOwnHost: route({
    method: 'PUT',
    path: '/api/v0/host',
    tag,
    summary: 'Enrols the host that calls',
    description: `The address is the caller's; \`admin\` and \`operator\` may name another in \`host\` or \`address\`. With an enrolment token \`host_keys\` is required, and \`ssh_priv_key\` is not. ${enrolDescription}`,
    roles: ENROLLERS,
    body: OwnBody,
    bodySize: 'document',
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
};
