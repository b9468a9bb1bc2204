import Type from 'typebox';
import {
  HOST_PHASES,
  OPERATION_KINDS,
  OPERATION_STATES,
  OPERATION_STATUSES,
  OPERATION_VERBS,
  PAUSE_REASONS,
  SKIP_REASONS,
} from '../../domain/vocabulary.ts';
import {
  Address,
  HostState,
  Limit,
  Name,
  NewestLimit,
  OperationId,
  Outage,
  orNull,
  Timestamp,
} from '../fields.ts';
import { Policy } from '../policy.ts';
import { READERS, route, WRITERS } from '../route.ts';

const tag = 'Operations';

const summary = {
  id: Type.String(),
  kind: Type.Enum(OPERATION_KINDS),
  cluster: Type.String(),
  version: Type.Optional(Type.String({ description: 'What is deployed.' })),
  status: Type.Enum(OPERATION_STATUSES),
  state: Type.Enum(OPERATION_STATES),
  paused_by: orNull(Type.Enum(PAUSE_REASONS), 'Why it is paused; `null` unless it is.'),
  problem: Type.String({ description: 'Why it failed, or what it waits for; empty: only for its hosts.' }),
  counts: Type.Object(
    {
      total: Type.Integer(),
      pending: Type.Integer(),
      preparing: Type.Integer({ description: 'In `preflight` or `staging`: nobody is disturbed.' }),
      in_flight: Type.Integer({ description: 'From `cordoning` to `uncordoning`: each uses one slot.' }),
      done: Type.Integer(),
      failed: Type.Integer(),
      skipped: Type.Integer(),
    },
    { description: 'How many hosts it is for, and how far they are.' },
  ),
  started_by: Type.String({ description: 'The account.' }),
  started_at: Timestamp,
  finished_at: orNull(Timestamp, '`null` while it is `in_process`.'),
  can: Type.Array(Type.Enum(OPERATION_VERBS), { description: 'What may be asked of it now.' }),
};
export const OperationSummary = Type.Object(summary);

const host = {
  address: Address,
  state: HostState,
  phase: Type.Enum(HOST_PHASES),
  attempt: Type.Integer({ description: 'From 1 on; a retry is another.' }),
  position: Type.Integer({
    description:
      'Its place in the plan, from 0 on: hosts that were down at the start first, then in the order of the policy.',
  }),
  control_plane: Type.Boolean(),
  phases: Type.Array(Type.Object({ phase: Type.Enum(HOST_PHASES), attempt: Type.Integer(), at: Timestamp }), {
    description: 'When it came into each phase.',
  }),
  started_at: orNull(Timestamp, '`null`: not yet.'),
  finished_at: orNull(Timestamp, '`null`: not yet.'),
  error: orNull(Type.String(), 'Why it failed; `null` unless it has.'),
  detail: Type.String({ description: 'What it waits for, or how it was left; empty: nothing.' }),
  already_there: Type.Boolean({ description: 'There was nothing to do.' }),
  skip_reason: orNull(Type.Enum(SKIP_REASONS), '`null` unless it was skipped.'),
  cordoned: Type.Boolean({ description: 'Its node is cordoned by this operation.' }),
};
const said = { step: Type.String(), attempt: Type.Integer(), at: Timestamp };

export const OperationReport = Type.Object({
  ...summary,
  policy: Policy,
  budget: Type.Object(
    {
      max_unavailable: Type.Integer({
        description: 'How many hosts may be out of service at this moment; a ramp widens it.',
      }),
      unavailable: Type.Integer({
        description:
          'Members that are out of service, because of the operation or not. It exceeds `max_unavailable` when other hosts fail meanwhile. 0 when the operation is finished or cancelled.',
      }),
      max_failures: Type.Integer({ description: 'How many may fail, with those that were forgiven.' }),
      failed: Type.Integer(),
    },
    { description: "The policy's amounts as numbers, and how much of them is used." },
  ),
  out_of_service: Type.Array(Outage, {
    description:
      'Members that are out of service and count against `max_unavailable`; empty for an operation that is finished or cancelled.',
  }),
  hosts: Type.Array(
    Type.Object({
      ...host,
      output: Type.Array(Type.Object({ ...said, last_lines: Type.String() }), {
        description: 'The last lines of what each step said.',
      }),
    }),
    { description: 'Every host, in the order of the plan.' },
  ),
});

export const OperationHost = Type.Object({
  ...host,
  output: Type.Array(Type.Object({ ...said, output: Type.String() }), {
    description: 'The last 64 KiB of what each step said.',
  }),
});

const hosts = Type.Optional(
  Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 10_000,
    rule: 'must be a list of 1 to 10000 addresses; left out: all that have failed',
    description: 'Addresses. Default: all failed hosts.',
  }),
);
const SkipBody = Type.Object({ hosts });
const RetryBody = Type.Object({
  hosts,
  exclude: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 10_000,
      rule: 'must be a list of 1 to 10000 addresses',
      description:
        'Addresses of members to leave out first: hosts of the plan become `skipped` (`unhealthy`), and an excluded member uses no budget until it is active again.',
    }),
  ),
});

const get = { tag, method: 'GET', roles: READERS, statuses: [200], refusals: [404] } as const;
const verb = {
  tag,
  method: 'PUT',
  roles: WRITERS,
  statuses: [200],
  answer: OperationSummary,
  refusals: [404, 409],
} as const;

export const operationRoutes = {
  listOperations: route({
    ...get,
    path: '/api/v0/operations',
    summary: 'All operations, newest first',
    query: Type.Object({
      cluster: Type.Optional(Name),
      kind: Type.Optional(Type.Enum(OPERATION_KINDS)),
      status: Type.Optional(Type.Enum(OPERATION_STATUSES)),
      host: Type.Optional(
        Type.String({
          maxLength: 128,
          description: 'Only those that the host at this address is or was part of.',
        }),
      ),
      limit: Type.Optional(NewestLimit),
      after: Type.Optional(OperationId),
    }),
    answer: Type.Array(OperationSummary),
  }),
  getOperation: route({
    ...get,
    path: '/api/v0/operation/{id}',
    summary: 'An operation with its policy and its hosts',
    query: Type.Object({
      limit: Type.Optional(Limit),
      after: Type.Optional(
        Type.String({ maxLength: 128, description: 'Only hosts after this one in the plan.' }),
      ),
    }),
    answer: OperationReport,
  }),
  getOperationHost: route({
    ...get,
    path: '/api/v0/operation/{id}/hosts/{address}',
    summary: 'A host of an operation, with all that is kept of its output',
    answer: OperationHost,
  }),
  pauseOperation: route({
    ...verb,
    path: '/api/v0/operation/{id}/pause',
    summary: 'Starts on no more hosts; those in flight come to their end',
    body: Type.Object({}),
  }),
  resumeOperation: route({
    ...verb,
    path: '/api/v0/operation/{id}/resume',
    summary: 'Goes on with a paused operation',
    body: Type.Object({}),
  }),
  cancelOperation: route({
    ...verb,
    path: '/api/v0/operation/{id}/cancel',
    summary: 'Ends an operation as soon as nothing is left half done',
    body: Type.Object({}),
  }),
  retryHosts: route({
    ...verb,
    path: '/api/v0/operation/{id}/retry',
    summary: 'Retries failed hosts and continues with pending ones',
    body: RetryBody,
    bodySize: 'addresses',
  }),
  skipHosts: route({
    ...verb,
    path: '/api/v0/operation/{id}/skip',
    summary: 'Skips hosts: they use no budget until they are active again',
    body: SkipBody,
    bodySize: 'addresses',
  }),
};
