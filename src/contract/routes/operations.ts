import Type from 'typebox';
import { OPERATION_ACTIONS, PAUSE_REASONS, SKIP_REASONS } from '../../domain/vocabulary.ts';
import {
  Address,
  boolean,
  EmptyInput,
  Hostname,
  HostPhase,
  HostState,
  integer,
  Limit,
  Name,
  named,
  OperationId,
  OperationKind,
  OperationState,
  Outage,
  optionalText,
  orNull,
  RecentLimit,
  RecordedPhase,
  RecordStatus,
  Timestamp,
  text,
} from '../fields.ts';
import { Policy } from '../policy.ts';
import { ADMINS, defineRoute, READERS, WRITERS } from '../route-definition.ts';

const tag = 'Operations';

const summaryFields = {
  id: Type.String(),
  kind: OperationKind,
  cluster: Type.String(),
  version: optionalText('Version that is deployed.'),
  status: RecordStatus,
  state: OperationState,
  paused_by: orNull(
    named('PauseReason', Type.Enum(PAUSE_REASONS)),
    'Why the operation is paused; `null` unless it is paused.',
  ),
  problem: text('Why the operation failed, or what it waits for. Empty if it waits only for its own hosts.'),
  counts: named(
    'OperationCounts',
    Type.Object(
      {
        total: Type.Integer(),
        pending: integer('Hosts that have not started.'),
        preparing: integer('Hosts that are checked or staged now. They are not disrupted.'),
        queued: integer('Hosts that are staged and wait for a slot. They are not disrupted.'),
        in_flight: integer('Hosts in phases from `cordoning` to `uncordoning`. Each uses one slot.'),
        done: Type.Integer(),
        failed: Type.Integer(),
        skipped: Type.Integer(),
      },
      { description: 'Number of hosts, in total and by progress.' },
    ),
  ),
  started_by: text('Account that started the operation.'),
  started_at: Timestamp,
  finished_at: orNull(Timestamp, '`null` while the operation is `in_process`.'),
  can: Type.Array(named('OperationAction', Type.Enum(OPERATION_ACTIONS)), {
    description: 'Actions that are possible now.',
  }),
};
export const OperationSummary = named('Operation', Type.Object(summaryFields));

const hostFields = {
  address: Address,
  hostname: Hostname,
  state: HostState,
  phase: HostPhase,
  attempt: integer('Number of the attempt, from 1. Each retry is a new attempt.'),
  position: integer(
    'Position in the plan, from 0. Hosts that were unavailable at the start come first, the others in the order of the policy.',
  ),
  control_plane: Type.Boolean(),
  phases: Type.Array(
    named('PhaseStart', Type.Object({ phase: RecordedPhase, attempt: Type.Integer(), at: Timestamp })),
    {
      description: 'When the host entered each phase, and when it was `queued`: staged, and waiting for a slot.',
    },
  ),
  started_at: orNull(Timestamp, '`null` if the host has not started.'),
  finished_at: orNull(Timestamp, '`null` if the host has not finished.'),
  error: orNull(Type.String(), 'Why the host failed; `null` unless it failed.'),
  detail: text('What the host waits for, or how the operation left it. Can be empty.'),
  already_there: boolean('`true` if the host needed no change.'),
  skip_reason: orNull(
    named('SkipReason', Type.Enum(SKIP_REASONS)),
    'Why the host was skipped; `null` unless it was skipped.',
  ),
  cordoned: boolean('Whether this operation has cordoned the node.'),
};
const stepFields = { step: Type.String(), attempt: Type.Integer(), at: Timestamp };

export const OperationReport = named(
  'OperationReport',
  Type.Object({
    ...summaryFields,
    policy: Policy,
    budget: named(
      'OperationBudget',
      Type.Object(
        {
          max_unavailable: integer('Number of hosts that can be unavailable now. With `ramp`, it increases.'),
          unavailable: integer(
            'Number of unavailable members, because of the operation or not. It exceeds `max_unavailable` if other hosts become unavailable. 0 if the operation is finished or cancelled.',
          ),
          max_failures: integer(
            'If more hosts fail, no further host starts. This is the limit of the policy, plus the failures that a user acknowledged by resuming the operation, or by retrying or skipping hosts.',
          ),
          failed: Type.Integer(),
        },
        { description: 'Limits of the policy as numbers of hosts, and their usage.' },
      ),
    ),
    unavailable_hosts: Type.Array(Outage, {
      description:
        'Unavailable members, which count against `max_unavailable`. Empty if the operation is finished or cancelled.',
    }),
    hosts: Type.Array(
      named(
        'OperationHost',
        Type.Object({
          ...hostFields,
          output: Type.Array(named('StepOutputExcerpt', Type.Object({ ...stepFields, last_lines: Type.String() })), {
            description: 'Last lines of the output of each step.',
          }),
        }),
      ),
      { description: 'All hosts, in the order of the plan.' },
    ),
  }),
);

export const OperationHostView = named(
  'OperationHostReport',
  Type.Object({
    ...hostFields,
    output: Type.Array(named('StepOutput', Type.Object({ ...stepFields, output: Type.String() })), {
      description: 'Last 64 KiB of the output of each step.',
    }),
  }),
);

const hosts = Type.Optional(
  Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 10_000,
    rule: 'must be a list of 1 to 10000 addresses; omit it to select all failed hosts',
    description: 'Addresses. Default: all failed hosts.',
  }),
);
const SkipBody = named('SkipInput', Type.Object({ hosts }));
const RetryBody = named(
  'RetryInput',
  Type.Object({
    hosts,
    exclude: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 10_000,
        rule: 'must be a list of 1 to 10000 addresses',
        description:
          'Addresses of members to exclude first. Planned hosts become `skipped` (`unhealthy`). An excluded member uses no slot until it is active again.',
      }),
    ),
  }),
);

const get = { tag, method: 'GET', roles: READERS } as const;
const action = { tag, method: 'PUT', roles: WRITERS, response: OperationSummary, errorStatuses: [404, 409] } as const;

const GlobalPause = named('GlobalPause', Type.Object({ paused: boolean('Whether all operations are paused.') }));
const globalAction = {
  tag,
  method: 'PUT',
  roles: ADMINS,
  body: EmptyInput,
  response: GlobalPause,
} as const;

export const operationRoutes = {
  listOperations: defineRoute({
    ...get,
    path: '/api/v0/operations',
    summary: 'List operations, newest first',
    query: Type.Object({
      cluster: Type.Optional(Name),
      kind: Type.Optional(OperationKind),
      status: Type.Optional(RecordStatus),
      host: optionalText('Only operations that include or included the host with this address.', { maxLength: 128 }),
      limit: Type.Optional(RecentLimit),
      after: Type.Optional(OperationId),
    }),
    response: Type.Array(OperationSummary),
    errorStatuses: [404],
  }),
  getOperation: defineRoute({
    ...get,
    path: '/api/v0/operation/{id}',
    summary: 'Get an operation with its policy and its hosts',
    query: Type.Object({
      limit: Type.Optional(Limit),
      after: optionalText('Return only hosts after this address in the plan.', { maxLength: 128 }),
    }),
    response: OperationReport,
  }),
  getOperationHost: defineRoute({
    ...get,
    path: '/api/v0/operation/{id}/hosts/{address}',
    summary: 'Get a host of an operation with all of its stored output',
    response: OperationHostView,
  }),
  pauseOperation: defineRoute({
    ...action,
    path: '/api/v0/operation/{id}/pause',
    summary: 'Pause an operation: no further host starts, hosts in flight finish',
    body: EmptyInput,
  }),
  resumeOperation: defineRoute({
    ...action,
    path: '/api/v0/operation/{id}/resume',
    summary: 'Resume a paused operation',
    body: EmptyInput,
  }),
  cancelOperation: defineRoute({
    ...action,
    path: '/api/v0/operation/{id}/cancel',
    summary: 'Cancel an operation: hosts in flight finish or are rolled back',
    body: EmptyInput,
  }),
  retryHosts: defineRoute({
    ...action,
    path: '/api/v0/operation/{id}/retry',
    summary: 'Retry failed hosts and continue with pending hosts',
    body: RetryBody,
    bodySize: 'addresses',
  }),
  skipHosts: defineRoute({
    ...action,
    path: '/api/v0/operation/{id}/skip',
    summary: 'Skip hosts: they use no slot until they are active again',
    body: SkipBody,
    bodySize: 'addresses',
  }),
  getGlobalPause: defineRoute({
    ...get,
    path: '/api/v0/pause',
    summary: 'Check whether all operations are paused',
    response: GlobalPause,
  }),
  pauseAllOperations: defineRoute({
    ...globalAction,
    path: '/api/v0/pause',
    summary: 'Pause all operations',
    description: 'No further host starts. Hosts in flight finish.',
  }),
  resumeAllOperations: defineRoute({
    ...globalAction,
    path: '/api/v0/resume',
    summary: 'End the pause of all operations',
    description: 'Operations that were paused individually stay paused.',
  }),
};
