import Type from 'typebox';
import { READERS, route } from '../route.ts';

const described = {
  type: Type.String({ description: 'Name of the driver in records, hosts and the configuration.' }),
  summary: Type.String(),
};

const Configured = Type.Object({
  ...described,
  options: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'JSON Schema of the options. `secret` marks options that are stored encrypted. `rule` describes the allowed values.',
  }),
});

const Drivers = Type.Object({
  os: Type.Array(
    Type.Object({
      ...described,
      systems: Type.Array(Type.String(), { description: 'Values of `os` that the driver can set.' }),
    }),
  ),
  transport: Type.Array(Type.Object(described)),
  network: Type.Array(Configured),
  container_manager: Type.Array(Configured),
  host_source: Type.Array(Configured),
});

export const driverRoutes = {
  listDrivers: route({
    method: 'GET',
    path: '/api/v0/drivers',
    tag: 'Service',
    summary: 'List drivers with the schemas of their options',
    roles: READERS,
    statuses: [200],
    answer: Drivers,
  }),
};
