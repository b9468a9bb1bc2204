import Type from 'typebox';
import { REDACTED_OPTION } from '../../domain/vocabulary.ts';
import { boolean, EmptyList, ExtendedPaging, MatchesPath, NameInput, Names, named, text } from '../fields.ts';
import { defineRoute, READERS, WRITERS } from '../route-definition.ts';

const Options = Type.Record(Type.String(), Type.Unknown(), {
  description: `Options of the driver. Only \`admin\` sees secret options, in a session only while the password is confirmed. Others see \`${REDACTED_OPTION}\`.`,
});

export const DriverRecord = named(
  'DriverRecord',
  Type.Object({ name: Type.String(), type: Type.String(), options: Options }),
);

const Body = named(
  'DriverRecordInput',
  Type.Object({
    name: MatchesPath('name'),
    type: Type.String({ minLength: 1, maxLength: 64 }),
    options: Options,
  }),
);

const putDescription =
  'The server validates the options against the schema of the type and connects to no other system. Repeating the request with the same content changes nothing. With `If-Match`, it replaces the record.';

const network = { tag: 'Networks', path: '/api/v0/network/{name}' } as const;
const containerManager = { tag: 'Container managers', path: '/api/v0/containermanager/{name}' } as const;

const list = {
  method: 'GET',
  description: `With \`extended\`, secret options are always \`${REDACTED_OPTION}\`.`,
  roles: READERS,
  query: ExtendedPaging,
  response: Names,
  extendedResponse: Type.Array(DriverRecord),
} as const;
const get = { method: 'GET', roles: READERS, response: DriverRecord } as const;
const put = {
  method: 'PUT',
  description: putDescription,
  roles: WRITERS,
  body: Body,
  bodySize: 'document',
  statuses: [200, 201],
  response: DriverRecord,
  supportsIfMatch: true,
  errorStatuses: [409],
} as const;
const remove = {
  method: 'DELETE',
  description: 'Also succeeds if the record does not exist. Returns 409 while a cluster uses the record.',
  roles: WRITERS,
  response: EmptyList,
  supportsIfMatch: true,
  errorStatuses: [409],
} as const;

const ConnectionCheck = named(
  'ConnectionCheck',
  Type.Object({
    name: Type.String(),
    type: Type.String(),
    ok: boolean('Whether the check found no problems.'),
    version: text('Version that the server reports. Empty if there is no server, or if it reports none.'),
    problems: Type.Array(Type.String(), { description: 'Problems that the check found.' }),
  }),
);

const check = {
  method: 'PUT',
  description:
    'Connects to the servers that the record describes, with its options, and waits for the result. Changes nothing.',
  roles: WRITERS,
  body: NameInput,
  response: ConnectionCheck,
  errorStatuses: [404],
} as const;

export const driverRecordRoutes = {
  listNetworks: defineRoute({
    ...list,
    tag: network.tag,
    path: '/api/v0/networks/',
    summary: 'List networks',
  }),
  getNetwork: defineRoute({ ...get, ...network, summary: 'Get a network' }),
  putNetwork: defineRoute({ ...put, ...network, summary: 'Create or replace a network' }),
  removeNetwork: defineRoute({ ...remove, ...network, summary: 'Remove a network' }),
  checkNetwork: defineRoute({
    ...check,
    tag: network.tag,
    path: `${network.path}/check`,
    summary: 'Check the connection of a network',
  }),
  listContainerManagers: defineRoute({
    ...list,
    tag: containerManager.tag,
    path: '/api/v0/containermanagers/',
    summary: 'List container managers',
  }),
  getContainerManager: defineRoute({ ...get, ...containerManager, summary: 'Get a container manager' }),
  putContainerManager: defineRoute({ ...put, ...containerManager, summary: 'Create or replace a container manager' }),
  removeContainerManager: defineRoute({ ...remove, ...containerManager, summary: 'Remove a container manager' }),
  checkContainerManager: defineRoute({
    ...check,
    tag: containerManager.tag,
    path: `${containerManager.path}/check`,
    summary: 'Check the connection of a container manager',
  }),
};

const driverFields = {
  type: text('Name of the driver in records, hosts and the configuration.'),
  summary: Type.String(),
};

const ConfigurableDriver = named(
  'ConfigurableDriver',
  Type.Object({
    ...driverFields,
    options: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'JSON Schema of the options. `secret` marks options that are stored encrypted. `rule` describes the allowed values.',
    }),
  }),
);

const Drivers = named(
  'Drivers',
  Type.Object({
    os: Type.Array(
      Type.Object({
        ...driverFields,
        systems: Type.Array(Type.String(), { description: 'Values of `os` that the driver can set.' }),
      }),
    ),
    transport: Type.Array(Type.Object(driverFields)),
    network: Type.Array(ConfigurableDriver),
    container_manager: Type.Array(ConfigurableDriver),
    host_source: Type.Array(ConfigurableDriver),
  }),
);

export const driverRoutes = {
  listDrivers: defineRoute({
    method: 'GET',
    path: '/api/v0/drivers',
    tag: 'Service',
    summary: 'List drivers with the schemas of their options',
    roles: READERS,
    response: Drivers,
  }),
};
