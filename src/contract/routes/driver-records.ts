import Type from 'typebox';
import { HIDDEN_OPTION } from '../../domain/vocabulary.ts';
import { EmptyList, Names, Paging, Repeated } from '../fields.ts';
import { READERS, route, WRITERS } from '../route.ts';

// Networks and container managers have one shape: a name, a driver's type, and the options that this driver knows.

const Options = Type.Record(Type.String(), Type.Unknown(), {
  description: `The driver's own options. Those that are secret are shown to \`admin\` only, in a session while it is confirmed; others see \`${HIDDEN_OPTION}\`.`,
});

export const DriverRecord = Type.Object({ name: Type.String(), type: Type.String(), options: Options });

const Body = Type.Object({
  name: Repeated('name'),
  type: Type.String({ minLength: 1, maxLength: 64 }),
  options: Options,
});

const putDescription =
  'The options are checked against the schema of the type; nothing is connected to. Repeating it with the same content ' +
  'changes nothing. With `If-Match` it replaces the record.';

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
  description: 'Also fine when it does not exist; refused while a cluster uses it.',
  roles: WRITERS,
  statuses: [200],
  answer: EmptyList,
  isConditional: true,
  refusals: [409],
} as const;

const Checked = Type.Object({
  name: Type.String(),
  type: Type.String(),
  ok: Type.Boolean({ description: 'Whether nothing is wrong.' }),
  version: Type.String({
    description: 'As the server calls itself; empty where there is none, or it did not say.',
  }),
  problems: Type.Array(Type.String(), { description: 'What is wrong, in words.' }),
});

const check = {
  method: 'PUT',
  description:
    'Asks the servers that the record describes, with its options, and waits for their answer. Nothing is changed, here or there.',
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
    summary: 'Names of all networks',
  }),
  getNetwork: route({ ...get, ...network, summary: 'A network' }),
  putNetwork: route({ ...put, ...network, summary: 'Creates a network' }),
  removeNetwork: route({ ...remove, ...network, summary: 'Removes a network' }),
  checkNetwork: route({
    ...check,
    tag: network.tag,
    path: `${network.path}/check`,
    summary: 'Asks whether a network is right',
  }),
  listContainerManagers: route({
    ...list,
    tag: containerManager.tag,
    path: '/api/v0/containermanagers/',
    summary: 'Names of all container managers',
  }),
  getContainerManager: route({ ...get, ...containerManager, summary: 'A container manager' }),
  putContainerManager: route({ ...put, ...containerManager, summary: 'Creates a container manager' }),
  removeContainerManager: route({ ...remove, ...containerManager, summary: 'Removes a container manager' }),
  checkContainerManager: route({
    ...check,
    tag: containerManager.tag,
    path: `${containerManager.path}/check`,
    summary: 'Asks whether a container manager is right',
  }),
};
