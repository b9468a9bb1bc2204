import Type from 'typebox';
import { MAX_CHECK_HISTORY } from '../../domain/defaults.ts';
import { HEALTH_CHECK_RESULTS, TASK_KINDS } from '../../domain/vocabulary.ts';
import {
  boolean,
  CONTROL_CHARACTERS,
  HostStatus,
  integer,
  Labels,
  Maintenance,
  matchingAddressFields,
  named,
  optionalText,
  Timestamp,
  Transport,
  text,
} from '../fields.ts';
import { defineRoute, READERS, WRITERS } from '../route-definition.ts';
import { Host } from './hosts.ts';

export const HostStatusReport = named(
  'HostStatusReport',
  Type.Object({
    type: text("`host_only`, or the type of the cluster's container manager."),
    host: Type.Object({
      last_check: Type.String(),
      status: HostStatus,
      reason: Type.Optional(Type.String()),
      hostname: optionalText('Hostname that the host or its source reports. Omitted until known.'),
      cluster: optionalText('Cluster of the host. Omitted if it is in none.'),
      boot_id: optionalText('Boot ID, which changes with each boot. Omitted until known.'),
      boots: integer('Number of boots that Hostler has seen since the enrolment.'),
      booted_at: optionalText('Start of the current boot. Omitted until known.'),
      responded_at: optionalText('Time of the last response to a check or a step. Omitted before the first response.'),
      os_version: optionalText('Name and version of the operating system. Omitted until known.'),
      kernel: optionalText('Kernel version. Omitted until known.'),
      architecture: optionalText('Architecture, such as `x86_64`. Omitted until known.'),
      transport: Type.Optional(
        Transport('How the server connects to the host. Omitted if the setting `transport` applies.'),
      ),
      labels: Labels,
      maintenance: Maintenance,
      source: Type.Optional(
        Type.Object(
          {
            name: Type.String(),
            refreshed_at: Type.Optional(Timestamp),
            age_s: Type.Optional(integer('Seconds since `refreshed_at`.')),
            known: boolean('Whether the source knew the host at that time. If not, the facts come from the host.'),
            problem: optionalText('Why the source cannot be read. The facts are those of the last successful read.'),
            conditions: Type.Optional(
              Type.Record(Type.String(), Type.String(), {
                description: 'Conditions of the host that the source reports.',
              }),
            ),
          },
          {
            description:
              'Host source that provides the facts, and the time of its last successful read. Omitted if the facts come from the host.',
          },
        ),
      ),
      tasks: Type.Array(
        Type.Object({
          kind: Type.Enum(TASK_KINDS),
          step: optionalText('Step that has not succeeded yet.'),
          attempts: integer('Number of attempts of this step.'),
          problem: optionalText('Error of the last attempt.'),
        }),
        { description: 'Pending tasks of the host, oldest first.' },
      ),
      pending_host_key: Type.Optional(
        Type.Object(
          { type: Type.String(), fingerprint: text('As printed by `ssh-keygen -l`.') },
          {
            description: 'Changed host key that the host presents and that has not been accepted.',
          },
        ),
      ),
    }),
    container_manager: Type.Object(
      {
        ready: Type.Optional(Type.Boolean()),
        schedulable: Type.Optional(Type.Boolean()),
        name: Type.Optional(Type.String()),
        reported_at: Type.Optional(Timestamp),
        reason: optionalText('Why the other fields are missing.'),
      },
      { description: 'Node of the host. Empty without a container manager.' },
    ),
  }),
);

const HealthCheck = named(
  'HealthCheck',
  Type.Object({
    at: Timestamp,
    result: Type.Enum(HEALTH_CHECK_RESULTS, {
      description:
        '`passed`: the host was healthy. `unreachable`: the host did not respond. `failed`: the host rejected the login, presented a different host key or sent unreadable data.',
    }),
  }),
);

const BootstrapInput = named('BootstrapInput', Type.Object(matchingAddressFields));

const MaintenanceBody = named(
  'MaintenanceInput',
  Type.Object({
    on: Type.Boolean(),
    reason: Type.Optional(
      Type.String({
        maxLength: 256,
        pattern: `^[^${CONTROL_CHARACTERS}]*$`,
        rule: 'must be one line of up to 256 characters without control or bidirectional characters',
        description: 'Reason for the maintenance. Default: empty.',
      }),
    ),
    ...matchingAddressFields,
  }),
);

const get = { tag: 'Hosts', method: 'GET', roles: READERS } as const;
const put = { tag: 'Hosts', method: 'PUT', roles: WRITERS, errorStatuses: [404, 409] } as const;

export const hostManagementRoutes = {
  getHostStatus: defineRoute({
    ...get,
    path: '/api/v0/host/{address}/status',
    summary: 'Get the status of a host and of its node',
    response: HostStatusReport,
  }),
  getHostChecks: defineRoute({
    ...get,
    path: '/api/v0/host/{address}/checks',
    summary: 'List the last health checks of a host',
    response: Type.Array(HealthCheck, { description: `Up to ${MAX_CHECK_HISTORY} checks, oldest first.` }),
  }),
  bootstrapHost: defineRoute({
    ...put,
    path: '/api/v0/host/{address}/bootstrap',
    summary: 'Retry the bootstrap of a host',
    description:
      'Investigates and bootstraps the host again. Works in any status. Returns 409 while an operation acts on the host.',
    body: BootstrapInput,
    response: Host,
  }),
  getHostLabels: defineRoute({
    ...get,
    path: '/api/v0/host/{address}/labels',
    summary: 'Get the labels of a host',
    response: Labels,
  }),
  putHostLabels: defineRoute({
    ...put,
    path: '/api/v0/host/{address}/labels',
    summary: 'Replace the labels of a host',
    description: 'Labels that are not in the request are removed.',
    body: Labels,
    response: Labels,
    errorStatuses: [404],
  }),
  getHostMaintenance: defineRoute({
    ...get,
    path: '/api/v0/host/{address}/maintenance',
    summary: 'Get the maintenance state of a host',
    response: Maintenance,
  }),
  putHostMaintenance: defineRoute({
    ...put,
    path: '/api/v0/host/{address}/maintenance',
    summary: 'Start or end the maintenance of a host',
    description:
      'A host in maintenance counts as unavailable in its cluster, and no operation acts on it. Returns 409 while an operation has the host in flight.',
    body: MaintenanceBody,
    response: Maintenance,
  }),
};
