import Type from 'typebox';
import { REDACTED_OPTION } from '../../domain/vocabulary.ts';
import { EmptyList, Names, Paging, Repeated } from '../fields.ts';
import { READERS, route, WRITERS } from '../route.ts';

// Networks and container managers have the same schema: a name, the type of a driver, and the options of that driver.

const Options = Type.Record(Type.String(), Type.Unknown(), {
  description: `Options of the driver. Only \`admin\` sees secret options, in a session only while the password is confirmed. Others see \`${REDACTED_OPTION}\`.`,
});

export const DriverRecord = Type.Object({ name: Type.String(), type: Type.String(), options: Options });

const Body = Type.Object({
  name: Repeated('name'),
  type: Type.String({ minLength: 1, maxLength: 64 }),
  options: Options,
});

const putDescription =
  'The server validates the options against the schema of the type and connects to no other system. Repeating the request with the ' +
  'same content changes nothing. With `If-Match`, it replaces the record.';

const network = { tag: 'Networks', path: '/api/v0/network/{name}' } as const;
const containerManager = { tag: 'Container managers', path: '/api/v0/containermanager/{name}' } as const;

const list = { method: 'GET', roles: READERS, query: Paging, statuses: [200], answer: Names } as const;
const get = {
  method: 'GET',
  roles: READERS,
  statuses: [200],
  answer: DriverRecord,
  refusals: [404],
} as const;
const put = {
  method: 'PUT',
  description: putDescription,
  roles: WRITERS,
  body: Body,
  bodySize: 'document',
  statuses: [200, 201],
  answer: DriverRecord,
  isConditional: true,
  refusals: [409],
} as const;
const remove = {
  method: 'DELETE',
  description: 'Also succeeds if the record does not exist. Returns 409 while a cluster uses the record.',
  roles: WRITERS,
  statuses: [200],
  answer: EmptyList,
  isConditional: true,
  refusals: [409],
} as const;

const Checked = Type.Object({
  name: Type.String(),
  type: Type.String(),
  ok: Type.Boolean({ description: 'Whether the check found no problems.' }),
  version: Type.String({
    description: 'Version that the server reports. Empty if there is no server, or if it reports none.',
  }),
  problems: Type.Array(Type.String(), { description: 'Problems that the check found.' }),
});

const check = {
  method: 'PUT',
  description:
    'Connects to the servers that the record describes, with its options, and waits for the result. Changes nothing.',
  roles: WRITERS,
  body: Type.Object({ name: Repeated('name') }),
  statuses: [200],
  answer: Checked,
  refusals: [404],
} as const;

export const driverRecordRoutes = {
  listNetworks: route({
    ...list,
    tag: network.tag,
    path: '/api/v0/networks/',
    summary: 'List network names',
  }),
  getNetwork: route({ ...get, ...network, summary: 'Get a network' }),
  putNetwork: route({ ...put, ...network, summary: 'Create or replace a network' }),
  removeNetwork: route({ ...remove, ...network, summary: 'Remove a network' }),
  checkNetwork: route({
    ...check,
    tag: network.tag,
    path: `${network.path}/check`,
    summary: 'Check the connection of a network',
  }),
  listContainerManagers: route({
    ...list,
    tag: containerManager.tag,
    path: '/api/v0/containermanagers/',
    summary: 'List container manager names',
  }),
  getContainerManager: route({ ...get, ...containerManager, summary: 'Get a container manager' }),
  putContainerManager: route({
    ...put,
    ...containerManager,
    summary: 'Create or replace a container manager',
  }),
  removeContainerManager: route({ ...remove, ...containerManager, summary: 'Remove a container manager' }),
  checkContainerManager: route({
    ...check,
    tag: containerManager.tag,
    path: `${containerManager.path}/check`,
    summary: 'Check the connection of a container manager',
  }),
};
