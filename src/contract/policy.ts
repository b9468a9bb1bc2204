// Unknown fields are rejected, because a typo could change what an operation does. A client can send a policy from a
// response back in a request.

import Type from 'typebox';
import { POLICY_DEFAULTS } from '../domain/defaults.ts';
import {
  DRAIN_TIMEOUT_ACTIONS,
  ON_FAILURE_ACTIONS,
  REBOOT_MODES,
  UNHEALTHY_MODES,
  WEEKDAYS,
} from '../domain/vocabulary.ts';
import { boolean, LabelFilter, named, text } from './fields.ts';

const strict = { additionalProperties: false };

const { drain, timeouts, reboot, ...otherDefaults } = POLICY_DEFAULTS;

/** One day. */
const MAX_SECONDS = 86_400;

const seconds = (description: string, min = 1) =>
  Type.Integer({
    minimum: min,
    maximum: MAX_SECONDS,
    rule: `must be a whole number of seconds from ${min} to ${MAX_SECONDS}`,
    description,
  });

/** More members than any cluster has. */
const MAX_HOSTS = 1_000_000;

const countOrPercent = (min: number, percentPattern: string, description: string) =>
  Type.Union(
    [Type.Integer({ minimum: min, maximum: MAX_HOSTS }), Type.String({ pattern: `^(100|${percentPattern})%$` })],
    {
      rule: `must be a whole number from ${min} to ${MAX_HOSTS}, or a percentage from ${min}% to 100%`,
      description,
    },
  );

const AddressList = Type.Array(Type.String(), { description: 'IPv4 or IPv6 addresses.' });

/** Lone surrogates cannot be encoded in UTF-8. */
const Argument = Type.String({ maxLength: 4096, pattern: '^[^\\u0000\\ud800-\\udfff]*$' });

const time = (description: string) =>
  Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    rule: 'must be a time from 00:00 to 23:59, as HH:MM',
    description,
  });

const Window = named(
  'TimeWindow',
  Type.Object(
    {
      days: Type.Array(Type.Enum(WEEKDAYS), {
        minItems: 1,
        maxItems: 7,
        description: 'Days on which the window opens.',
      }),
      start: time('Time at which the window opens, in the time zone `zone`.'),
      end: time(
        'Time at which the window closes. If it is not after `start`, the window closes on the next day; if it equals `start`, the window is open for 24 hours.',
      ),
      zone: text('IANA time zone, such as `Europe/Berlin`.', { maxLength: 64 }),
    },
    strict,
  ),
);

const drainFields = {
  timeout_s: seconds(`Maximum number of seconds to drain a node. Default ${drain.timeoutS}.`),
  on_timeout: Type.Enum(DRAIN_TIMEOUT_ACTIONS, {
    description: `Action after \`timeout_s\`: \`fail\` the host, or \`force\` the drain. Default \`${drain.onTimeout}\`.`,
  }),
};

const timeoutFields = {
  stage: seconds(`Time limit for downloading the new version. Default ${timeouts.stageS}.`),
  apply: seconds(`Time limit for installing the new version. Default ${timeouts.applyS}.`),
  reboot: seconds(`Time limit for a reboot. Default ${timeouts.rebootS}.`),
  ready: seconds(
    `Time limit for a host to become healthy, and for waiting for hosts that block the operation. Default ${timeouts.readyS}.`,
  ),
};

const fields = {
  max_unavailable: countOrPercent(
    1,
    '[1-9][0-9]?',
    `Maximum number or percentage of members that are unavailable at the same time. A percentage is rounded down, to at least 1. Default ${otherDefaults.maxUnavailable}.`,
  ),
  canary: Type.Integer({
    minimum: 0,
    maximum: MAX_HOSTS,
    rule: `must be a whole number from 0 to ${MAX_HOSTS}`,
    description: `Number of hosts to start first. The other hosts wait until all of these are healthy. Default ${otherDefaults.canary}.`,
  }),
  ramp: boolean(
    `Start with 1 host at a time, then 2, 4, … up to \`max_unavailable\`, as hosts succeed. One member that is already unavailable prevents the start. Default \`${otherDefaults.ramp}\`.`,
  ),
  unhealthy: Type.Enum(UNHEALTHY_MODES, {
    description: `How to treat members that are already unavailable. \`count\`: they use slots. \`exclude\`: they are skipped and use no slot. Decided once, at the start. Default \`${otherDefaults.unhealthy}\`.`,
  }),
  max_excluded: countOrPercent(
    1,
    '[1-9][0-9]?',
    `With \`unhealthy: exclude\`: maximum number or percentage of members to exclude. If more are unavailable, the operation fails. A percentage is rounded down, to at least 1. Default \`${otherDefaults.maxExcluded}\`.`,
  ),
  wait: boolean(
    `If unavailable members use all slots at the start, wait for them up to \`timeouts.ready\` seconds instead of failing at once. Default \`${otherDefaults.wait}\`.`,
  ),
  max_failures: countOrPercent(
    0,
    '[1-9]?[0-9]',
    `Maximum number or percentage of planned hosts that can fail. If more fail, no further host starts. A percentage is rounded down. Default ${otherDefaults.maxFailures}.`,
  ),
  on_failure: Type.Enum(ON_FAILURE_ACTIONS, {
    description: `Action if more than \`max_failures\` hosts fail, or if unavailable hosts use all slots: \`fail\`, or \`pause\` until a user decides. Default \`${otherDefaults.onFailure}\`.`,
  }),
  hosts: Type.Union([AddressList, Type.Null()], {
    rule: 'must be a list of addresses, or null for all members',
    description: `Only these members. Default \`${otherDefaults.hosts}\`: all members.`,
  }),
  labels: Type.Array(LabelFilter, {
    maxItems: 16,
    description: 'Only members with all of these labels, each `key=value` or `key`. Default: no label filter.',
  }),
  order: Type.Union([Type.Literal('address'), AddressList], {
    rule: 'must be address or a list of addresses',
    description: `Order of the hosts: by \`address\`, or a list of hosts to start first, in this order. Hosts that are already unavailable always come first. Default \`${otherDefaults.order}\`.`,
  }),
  stage_parallel: Type.Integer({
    minimum: 1,
    maximum: 1000,
    rule: 'must be a whole number from 1 to 1000',
    description: `Maximum number of hosts that download at the same time. Default ${otherDefaults.stageParallel}.`,
  }),
  reboot: Type.Enum(REBOOT_MODES, {
    description: `When to reboot a host. Restart and deploy: \`${reboot.restart}\` (default) or \`if_needed\`. Upgrade: \`${reboot.upgrade}\` (default), \`always\` or \`never\`.`,
  }),
  check: Type.Union([Type.Array(Argument, { minItems: 1, maxItems: 64 }), Type.Null()], {
    rule: 'must be a command as a list of 1 to 64 strings of up to 4096 characters without NUL bytes, or null',
    description: `Command, as a list of arguments, that must exit with 0 on a host before the host counts as healthy. Default \`${otherDefaults.check}\`: none.`,
  }),
  min_healthy_s: seconds(
    `Seconds that a host must stay healthy before it is done. Must be less than \`timeouts.ready\`. Default ${otherDefaults.minHealthyS}.`,
    0,
  ),
  window: Type.Union([Window, Type.Null()], {
    rule: 'must be null, or an object with exactly the fields days (a list of mon to sun), start and end (HH:MM), and zone',
    description: `Days and times at which new hosts can start. Hosts in flight finish when the window closes. Default \`${otherDefaults.window}\`: at any time.`,
  }),
  dry_run: boolean('Return the plan and the commands without changing anything. Default `false`.'),
};

const drainDescription =
  'Whether to drain each node before its host changes: `true`, `false` or an object. With a container manager, the default is `true`: an object with the default values. Without one, always `false`.';

const timeoutsDescription = 'Time limits for one host, in seconds.';

/** Omitted fields come from the policy of the cluster, otherwise from the defaults. */
export const PolicyInput = named(
  'PolicyInput',
  Type.Partial(
    Type.Object({
      ...fields,
      drain: Type.Union([Type.Boolean(), Type.Partial(Type.Object(drainFields), strict)], {
        rule: `must be true, false, or an object with only the fields timeout_s (1 to ${MAX_SECONDS}) and on_timeout (fail or force)`,
        description: drainDescription,
      }),
      timeouts: Type.Partial(Type.Object(timeoutFields), { ...strict, description: timeoutsDescription }),
    }),
    strict,
  ),
);

export type PolicyFields = Type.Static<typeof PolicyInput>;

export const Policy = named(
  'Policy',
  Type.Object({
    ...fields,
    drain: Type.Union([Type.Literal(false), Type.Object(drainFields, strict)], { description: drainDescription }),
    timeouts: Type.Object(timeoutFields, { ...strict, description: timeoutsDescription }),
  }),
);
