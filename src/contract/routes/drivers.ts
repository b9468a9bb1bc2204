import Type from 'typebox';
import { READERS, route } from '../route.ts';

const described = {
  type: Type.String({ description: 'What a record, a host or the configuration calls it.' }),
  summary: Type.String(),
};

const Configured = Type.Object({
  ...described,
  options: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'The JSON Schema of its options. `secret` marks those that are kept encrypted; `rule` says in words what is asked.',
  }),
});

const Drivers = Type.Object({
  os: Type.Array(
    Type.Object({
      ...described,
      systems: Type.Array(Type.String(), { description: 'Every `os` that it gives a host.' }),
    }),
  ),
  transport: Type.Array(Type.Object({ type: described.type })),
  network: Type.Array(Configured),
  container_manager: Type.Array(Configured),
  host_source: Type.Array(Configured),
});

export const driverRoutes = {
  listDrivers: route({
    method: 'GET',
    path: '/api/v0/drivers',
    tag: 'Service',
    summary: 'Every driver, and the schema of its options',
    roles: READERS,
    statuses: [200],
    answer: Drivers,
  }),
};
