// Restart, upgrade and deploy of a cluster, with the records of the specification. Everything else is told of the operation itself
// (`operations.ts`).

import Type from 'typebox';
import { HOST_PHASES, OPERATION_KINDS, OPERATION_STATUSES } from '../../domain/vocabulary.ts';
import {
  Address,
  HostState,
  HostStatus,
  NOT_IN_A_LINE,
  Os,
  Outage,
  orNull,
  Repeated,
  Timestamp,
} from '../fields.ts';
import { Policy, PolicyWish } from '../policy.ts';
import { READERS, route, WRITERS } from '../route.ts';

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
        'Why the host failed, or why it keeps the operation from starting; else `null`.',
      ),
    }),
    { description },
  );

const name = Type.Optional(
  Type.String({ description: 'The cluster; only for clients of Commissaire (`HOSTLER_COMPAT`).' }),
);
const common = {
  status: Type.Enum(OPERATION_STATUSES),
  in_process: HostList('Hosts that were started and are not done, failed ones among them.'),
  started_at: Timestamp,
  finished_at: orNull(Timestamp, '`null` while it is `in_process`.'),
};

export const DeployRecord = Type.Object({
  name,
  ...common,
  version: Type.String(),
  deployed: HostList('Hosts that are done.'),
});
export const UpgradeRecord = Type.Object({ name, ...common, upgraded: HostList('Hosts that are done.') });
export const RestartRecord = Type.Object({ name, ...common, restarted: HostList('Hosts that are done.') });

const ForeseenCommand = Type.Object({
  step: Type.String(),
  phase: Type.Enum(HOST_PHASES),
  argv: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description:
      'A program and its arguments; what is known only later stands in `<…>`. `null`: it is asked of the container manager.',
  }),
  detail: Type.String({ description: 'What is asked, or on what it depends; empty: nothing.' }),
});

/** The answer to a dry run. */
export const DryRun = Type.Object({
  dry_run: Type.Literal(true),
  kind: Type.Enum(OPERATION_KINDS),
  cluster: Type.String(),
  version: Type.Optional(Type.String({ description: 'What would be deployed.' })),
  policy: Policy,
  hosts: Type.Array(
    Type.Object({
      address: Address,
      position: Type.Integer({
        description:
          'Its place in the plan, from 0 on: hosts that are down first, then in the order of the policy.',
      }),
      control_plane: Type.Boolean(),
      state: Type.Object({ status: HostStatus, os: Os('The kind of system; empty until known.') }),
      commands: Type.Array(ForeseenCommand, { description: 'What would be run, in this order.' }),
      problem: Type.Optional(
        Type.String({ description: 'Why it would fail on this host, or leave it alone.' }),
      ),
    }),
    { description: 'In the order in which they would go.' },
  ),
  would_start: Type.Boolean({
    description: 'Whether the operation would start on a host now, as far as the records show.',
  }),
  blocked_by: Type.Array(Outage, {
    description: 'Members that are out of service and keep the operation from starting.',
  }),
  detail: Type.String({
    description:
      'Why it would not start now, unless `blocked_by` says it, and what is not known; else empty.',
  }),
});

const asked = { name: Repeated('name'), policy: Type.Optional(PolicyWish) };
const Body = Type.Object(asked);
const DeployBody = Type.Object({
  ...asked,
  version: Type.String({
    minLength: 1,
    maxLength: 512,
    pattern: `^[^${NOT_IN_A_LINE}]+$`,
    rule: 'must be one line of 1 to 512 characters',
    description: 'A version, commit, tag or image reference, as the tool of the system knows it.',
  }),
});

const description =
  'It is done by and by; `Location` names the operation, which tells all of it. The same again while it runs starts nothing; another one is refused. With `dry_run` in the policy it answers the plan, and nothing is begun.';

const get = { tag, method: 'GET', roles: READERS, statuses: [200], refusals: [404] } as const;
const put = {
  tag,
  method: 'PUT',
  roles: WRITERS,
  description,
  statuses: [200, 201],
  hasIdempotencyKey: true,
  refusals: [404, 409],
} as const;

const [deploy, upgrade, restart] = [
  { path: '/api/v0/cluster/{name}/deploy' },
  { path: '/api/v0/cluster/{name}/upgrade' },
  { path: '/api/v0/cluster/{name}/restart' },
] as const;

export const clusterOperationRoutes = {
  getDeploy: route({ ...get, ...deploy, summary: 'The newest deployment', answer: DeployRecord }),
  putDeploy: route({
    ...put,
    ...deploy,
    summary: 'Deploys a version of an image system to all hosts',
    body: DeployBody,
    bodySize: 'addresses',
    answer: Type.Union([DeployRecord, DryRun]),
  }),
  getUpgrade: route({ ...get, ...upgrade, summary: 'The newest upgrade', answer: UpgradeRecord }),
  putUpgrade: route({
    ...put,
    ...upgrade,
    summary: 'Upgrades all hosts',
    body: Body,
    bodySize: 'addresses',
    answer: Type.Union([UpgradeRecord, DryRun]),
  }),
  getRestart: route({ ...get, ...restart, summary: 'The newest restart', answer: RestartRecord }),
  putRestart: route({
    ...put,
    ...restart,
    summary: 'Restarts all hosts',
    body: Body,
    bodySize: 'addresses',
    answer: Type.Union([RestartRecord, DryRun]),
  }),
};
