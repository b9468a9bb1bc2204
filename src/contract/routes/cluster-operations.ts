// The record formats of Commissaire. `operations.ts` defines the complete operation.

import Type from 'typebox';

import {
  Address,
  boolean,
  CONTROL_CHARACTERS,
  Hostname,
  HostPhase,
  HostState,
  HostStatus,
  integer,
  MatchesPath,
  named,
  OperationKind,
  Os,
  Outage,
  optionalText,
  orNull,
  RecordStatus,
  Timestamp,
  text,
} from '../fields.ts';
import { Policy, PolicyInput } from '../policy.ts';
import { defineRoute, READERS, WRITERS } from '../route-definition.ts';

const tag = 'Operations';

const HostList = (description: string) =>
  Type.Array(
    Type.Object({
      address: Address,
      state: HostState,
      started_at: orNull(Timestamp),
      finished_at: orNull(Timestamp),
      error: orNull(
        Type.String(),
        'Why the host failed, or why it keeps the operation from starting; otherwise `null`.',
      ),
    }),
    { description },
  );

const name = optionalText('Name of the cluster. Only in the mode for clients of Commissaire (`HOSTLER_COMPAT`).');
const recordFields = {
  status: RecordStatus,
  in_process: HostList('Hosts that were started and are not done, including failed hosts.'),
  started_at: Timestamp,
  finished_at: orNull(Timestamp, '`null` while the operation is `in_process`.'),
};

export const DeployRecord = named(
  'DeployRecord',
  Type.Object({
    name,
    ...recordFields,
    version: Type.String(),
    deployed: HostList('Hosts that are done.'),
  }),
);
export const UpgradeRecord = named(
  'UpgradeRecord',
  Type.Object({ name, ...recordFields, upgraded: HostList('Hosts that are done.') }),
);
export const RestartRecord = named(
  'RestartRecord',
  Type.Object({ name, ...recordFields, restarted: HostList('Hosts that are done.') }),
);

const DryRunCommand = named(
  'PlannedCommand',
  Type.Object({
    step: Type.String(),
    phase: HostPhase,
    argv: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description:
        'Program and arguments. Values that are known only later are in angle brackets (`<…>`). `null` for a request to the container manager.',
    }),
    detail: text('The request to the container manager, or the condition of the command. Can be empty.'),
  }),
);

export const DryRun = named(
  'OperationPlan',
  Type.Object({
    dry_run: Type.Literal(true),
    kind: OperationKind,
    cluster: Type.String(),
    version: optionalText('Version that would be deployed.'),
    policy: Policy,
    hosts: Type.Array(
      named(
        'PlannedHost',
        Type.Object({
          address: Address,
          hostname: Hostname,
          position: integer(
            'Position in the plan, from 0. Hosts that are already unavailable come first, the others in the order of the policy.',
          ),
          control_plane: Type.Boolean(),
          state: Type.Object({
            status: HostStatus,
            reason: text('Why the host is `failed` or `unreachable`; otherwise empty.'),
            os: Os('Operating system. Empty until known.'),
          }),
          commands: Type.Array(DryRunCommand, { description: 'Commands, in the order in which they would run.' }),
          problem: optionalText('Why the operation would fail on this host, or not act on it.'),
        }),
      ),
      { description: 'Hosts in their planned order.' },
    ),
    members: integer('Number of members of the cluster.'),
    estimated_duration_s: orNull(
      Type.Integer(),
      'Estimated number of seconds, from the hosts that used a slot in the last finished operation of this kind on the cluster; `null` without such hosts. It excludes time in which the operation waits for a user, a time window or unavailable hosts.',
    ),
    would_start: boolean('Whether the operation would start a host now, according to the stored records.'),
    would_fail: boolean(
      'Whether more hosts would fail in preflight than `max_failures` allows. The operation fails, or pauses, when these hosts reach preflight. Other hosts can have changed before. `detail` has the numbers.',
    ),
    blocked_by: Type.Array(Outage, { description: 'Unavailable members that keep the operation from starting.' }),
    detail: text(
      'Other reasons why the operation would not start now or would fail, and unknown facts; otherwise empty.',
    ),
  }),
);

const bodyFields = { name: MatchesPath('name'), policy: Type.Optional(PolicyInput) };
const Body = named('OperationInput', Type.Object(bodyFields));
const DeployBody = named(
  'DeployInput',
  Type.Object({
    ...bodyFields,
    version: Type.String({
      minLength: 1,
      maxLength: 512,
      pattern: `^[^${CONTROL_CHARACTERS}]+$`,
      rule: 'must be one line of 1 to 512 characters',
      description: 'Version, commit, tag or image reference, in the format of the OS tool.',
    }),
  }),
);

const description =
  'The operation runs asynchronously. `Location` is the path of the operation. Repeating the request while the operation runs returns the running operation and starts nothing; a different request returns 409. With `dry_run` in the policy, the response is the plan, and nothing starts.';

const get = { tag, method: 'GET', roles: READERS } as const;
const put = {
  tag,
  method: 'PUT',
  roles: WRITERS,
  description,
  bodySize: 'addresses',
  statuses: [200, 201],
  supportsIdempotencyKey: true,
  errorStatuses: [404, 409],
} as const;

export const clusterOperationRoutes = {
  getDeploy: defineRoute({
    ...get,
    path: '/api/v0/cluster/{name}/deploy',
    summary: 'Get the newest deploy of a cluster',
    response: DeployRecord,
  }),
  putDeploy: defineRoute({
    ...put,
    path: '/api/v0/cluster/{name}/deploy',
    summary: 'Deploy an OS image version to all hosts of a cluster',
    body: DeployBody,
    response: Type.Union([DeployRecord, DryRun]),
  }),
  getUpgrade: defineRoute({
    ...get,
    path: '/api/v0/cluster/{name}/upgrade',
    summary: 'Get the newest upgrade of a cluster',
    response: UpgradeRecord,
  }),
  putUpgrade: defineRoute({
    ...put,
    path: '/api/v0/cluster/{name}/upgrade',
    summary: 'Upgrade all hosts of a cluster',
    body: Body,
    response: Type.Union([UpgradeRecord, DryRun]),
  }),
  getRestart: defineRoute({
    ...get,
    path: '/api/v0/cluster/{name}/restart',
    summary: 'Get the newest restart of a cluster',
    response: RestartRecord,
  }),
  putRestart: defineRoute({
    ...put,
    path: '/api/v0/cluster/{name}/restart',
    summary: 'Restart all hosts of a cluster',
    body: Body,
    response: Type.Union([RestartRecord, DryRun]),
  }),
};
