import Type from 'typebox';
import { CHECKS_KEPT } from '../../domain/defaults.ts';
import { CHECK_RESULTS, WORK_KINDS } from '../../domain/vocabulary.ts';
import {
  HostStatus,
  Labels,
  Maintenance,
  NOT_IN_A_LINE,
  repeatedAddress,
  Timestamp,
  Transport,
} from '../fields.ts';
import { READERS, route, WRITERS } from '../route.ts';
import { Host } from './hosts.ts';

const tag = 'Hosts';

export const HostStatusReport = Type.Object({
  type: Type.String({ description: "`host_only`, or the type of the cluster's container manager." }),
  host: Type.Object({
    last_check: Type.String(),
    status: HostStatus,
    reason: Type.Optional(Type.String()),
    hostname: Type.Optional(
      Type.String({ description: 'As the host, or its source, calls it; once known.' }),
    ),
    cluster: Type.Optional(Type.String({ description: 'The cluster it is in; left out: none.' })),
    boot_id: Type.Optional(Type.String({ description: 'New at every boot; once known.' })),
    transport: Type.Optional(
      Transport('By which transport it is reached; left out: the one of the configuration.'),
    ),
    labels: Labels,
    maintenance: Maintenance,
    source: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          refreshed_at: Type.Optional(Timestamp),
          age_s: Type.Optional(Type.Integer({ description: 'How many seconds ago that was.' })),
          known: Type.Boolean({
            description: 'Whether it knew the host then; if not, the facts are its own.',
          }),
          problem: Type.Optional(
            Type.String({ description: 'Why it does not tell now; the facts are those that it told last.' }),
          ),
          conditions: Type.Optional(
            Type.Record(Type.String(), Type.String(), {
              description: 'How the host is, as the source says.',
            }),
          ),
        },
        {
          description:
            'The host source that the facts come from, and when it last told them. Left out: the facts are its own.',
        },
      ),
    ),
    work: Type.Array(
      Type.Object({
        kind: Type.Enum(WORK_KINDS),
        step: Type.Optional(Type.String({ description: 'The step that did not succeed yet.' })),
        attempts: Type.Integer({ description: 'How often that was tried.' }),
        problem: Type.Optional(Type.String({ description: 'Why it did not succeed the last time.' })),
      }),
      { description: 'What is still to be done on it, oldest first.' },
    ),
    offered_key: Type.Optional(
      Type.Object(
        { type: Type.String(), fingerprint: Type.String({ description: 'As `ssh-keygen -l` prints it.' }) },
        {
          description:
            'A host key that it shows instead of the one it is known by, and that nobody has accepted.',
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
      reason: Type.Optional(Type.String({ description: 'Why it could not be asked.' })),
    },
    { description: 'Empty without a container manager.' },
  ),
});

const HostCheck = Type.Object({
  at: Timestamp,
  result: Type.Enum(CHECK_RESULTS, {
    description:
      '`passed`: it was well. `unreachable`: nothing came back. `failed`: it does not let us in, shows another key, or answers what makes no sense.',
  }),
});

const MaintenanceBody = Type.Object({
  on: Type.Boolean(),
  reason: Type.Optional(
    Type.String({
      maxLength: 256,
      pattern: `^[^${NOT_IN_A_LINE}]*$`,
      rule: 'must be one line of up to 256 characters, none of which turns the direction of others',
      description: 'Why, for people. Left out, it is empty.',
    }),
  ),
  ...repeatedAddress,
});

const ofHost = { tag, statuses: [200], refusals: [404] } as const;

/** How a host is, and what people do for it. */
export const hostCareRoutes = {
  getHostStatus: route({
    ...ofHost,
    method: 'GET',
    path: '/api/v0/host/{address}/status',
    summary: 'The status of a host and of its node',
    roles: READERS,
    answer: HostStatusReport,
  }),
  getHostChecks: route({
    ...ofHost,
    method: 'GET',
    path: '/api/v0/host/{address}/checks',
    summary: 'The last checks of a host',
    roles: READERS,
    answer: Type.Array(HostCheck, { description: `Up to ${CHECKS_KEPT}, the oldest first.` }),
  }),
  bootstrapHost: route({
    ...ofHost,
    method: 'PUT',
    path: '/api/v0/host/{address}/bootstrap',
    summary: 'Investigates and bootstraps a host again',
    description: 'In any status, but not while an operation is at work on it.',
    roles: WRITERS,
    body: Type.Object(repeatedAddress),
    answer: Host,
    refusals: [404, 409],
  }),
  getHostLabels: route({
    ...ofHost,
    method: 'GET',
    path: '/api/v0/host/{address}/labels',
    summary: 'The labels of a host',
    roles: READERS,
    answer: Labels,
  }),
  putHostLabels: route({
    ...ofHost,
    method: 'PUT',
    path: '/api/v0/host/{address}/labels',
    summary: 'Replaces the labels of a host',
    description: 'Those that are not sent are gone afterwards.',
    roles: WRITERS,
    body: Labels,
    answer: Labels,
  }),
  getHostMaintenance: route({
    ...ofHost,
    method: 'GET',
    path: '/api/v0/host/{address}/maintenance',
    summary: 'Whether a host is in maintenance',
    roles: READERS,
    answer: Maintenance,
  }),
  putHostMaintenance: route({
    ...ofHost,
    method: 'PUT',
    path: '/api/v0/host/{address}/maintenance',
    summary: 'Takes a host out of service, or back',
    description:
      'In maintenance it counts as unavailable in its cluster, and no operation touches it. A host that an operation has in flight is refused.',
    roles: WRITERS,
    body: MaintenanceBody,
    answer: Maintenance,
    refusals: [404, 409],
  }),
};
