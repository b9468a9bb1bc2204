// How restart, upgrade and deploy go about a cluster. A misspelt field would let them do what nobody wanted, so unknown ones are
// refused here. An answered policy may be sent as a wish.

import Type from 'typebox';
import { POLICY_DEFAULTS } from '../domain/defaults.ts';
import {
  DRAIN_TIMEOUT_RULES,
  FAILURE_RULES,
  REBOOT_RULES,
  UNHEALTHY_RULES,
  WEEKDAYS,
} from '../domain/vocabulary.ts';
import { LabelFilter } from './fields.ts';

const closed = { additionalProperties: false };

const { drain, timeouts, reboot, ...plain } = POLICY_DEFAULTS;

/** A day. */
const LONGEST_S = 86_400;

const seconds = (description: string, shortest = 1) =>
  Type.Integer({
    minimum: shortest,
    maximum: LONGEST_S,
    rule: `must be whole seconds, ${shortest} to ${LONGEST_S}`,
    description,
  });

/** More than any cluster has. */
const MOST_HOSTS = 1_000_000;

const amount = (least: number, percentPattern: string, description: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: least, maximum: MOST_HOSTS }),
      Type.String({ pattern: `^(100|${percentPattern})%$` }),
    ],
    {
      rule: `must be a whole number from ${least} to ${MOST_HOSTS}, or a text from "${least}%" to "100%"`,
      description,
    },
  );

const AddressList = Type.Array(Type.String(), { description: 'IPv4 or IPv6 literals.' });

/** A half of a character cannot be sent to a host. */
const Argument = Type.String({ maxLength: 4096, pattern: '^[^\\u0000\\ud800-\\udfff]*$' });

const time = (description: string) =>
  Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    rule: 'must be HH:MM, 00:00 to 23:59',
    description,
  });

const Window = Type.Object(
  {
    days: Type.Array(Type.Enum(WEEKDAYS), { minItems: 1, maxItems: 7, description: 'On which it opens.' }),
    start: time('When it opens, by the clocks of the zone.'),
    end: time('When it closes. Not after `start`: on the next day.'),
    zone: Type.String({ maxLength: 64, description: 'Of the IANA database, such as `Europe/Berlin`.' }),
  },
  closed,
);

const drainFields = {
  timeout_s: seconds(`How long a node may take. Default ${drain.timeoutS}.`),
  on_timeout: Type.Enum(DRAIN_TIMEOUT_RULES, {
    description: `Then: \`fail\` the host, or \`force\` it. Default \`${drain.onTimeout}\`.`,
  }),
};

const timeoutFields = {
  stage: seconds(`For fetching what is to be applied. Default ${timeouts.stageS}.`),
  apply: seconds(`For applying it. Default ${timeouts.applyS}.`),
  reboot: seconds(`For coming back from a reboot. Default ${timeouts.rebootS}.`),
  ready: seconds(`For being healthy again, and for hosts that are in the way. Default ${timeouts.readyS}.`),
};

const fields = {
  max_unavailable: amount(
    1,
    '[1-9][0-9]?',
    `How many members may be out of service at once; a part of the members is rounded down, at least 1. Default ${plain.maxUnavailable}.`,
  ),
  canary: Type.Integer({
    minimum: 0,
    maximum: MOST_HOSTS,
    rule: `must be a whole number from 0 to ${MOST_HOSTS}`,
    description: `This many hosts go first; the rest wait until all of them are healthy. Default ${plain.canary}.`,
  }),
  ramp: Type.Boolean({
    description: `1, 2, 4, … hosts at once, up to \`max_unavailable\`, growing on success. Default \`${plain.ramp}\`.`,
  }),
  unhealthy: Type.Enum(UNHEALTHY_RULES, {
    description: `How members that are out of service are treated, decided once, after the first check of all members. \`count\`: they use the budget. \`exclude\`: hosts of the plan are skipped, and an excluded member uses no budget for the rest of the operation. Default \`${plain.unhealthy}\`.`,
  }),
  max_excluded: amount(
    1,
    '[1-9][0-9]?',
    `With \`unhealthy: exclude\`, the operation fails if more members than this are unhealthy; a percentage of the members is rounded down, at least 1. Default \`${plain.maxExcluded}\`.`,
  ),
  wait: Type.Boolean({
    description: `Wait \`timeouts.ready\` seconds for members that use up the budget, instead of failing at once. Default \`${plain.wait}\`.`,
  }),
  max_failures: amount(
    0,
    '[1-9]?[0-9]',
    `How many hosts may fail in the whole run; with one more nothing new is started. Default ${plain.maxFailures}.`,
  ),
  on_failure: Type.Enum(FAILURE_RULES, {
    description: `Then: \`fail\`, or \`pause\` until somebody decides. Default \`${plain.onFailure}\`.`,
  }),
  hosts: Type.Union([AddressList, Type.Null()], {
    rule: 'must be a list of addresses, or null for all members',
    description: `Only these members. Default \`${plain.hosts}\`: all.`,
  }),
  labels: Type.Array(LabelFilter, {
    maxItems: 16,
    description: 'Only members with all of these labels, each `key=value` or `key`. Default: none is needed.',
  }),
  order: Type.Union([Type.Literal('address'), AddressList], {
    rule: 'must be "address" or a list of addresses',
    description: `Who goes first: by \`address\`, or these in this order and the others after them. Hosts that are already down go before all others. Default \`${plain.order}\`.`,
  }),
  stage_parallel: Type.Integer({
    minimum: 1,
    maximum: 1000,
    rule: 'must be a whole number, 1 to 1000',
    description: `How many hosts may fetch at once what is to be applied; hosts that do not answer take none of these places, and for a moment come on top when they answer again. Default ${plain.stageParallel}.`,
  }),
  reboot: Type.Enum(REBOOT_RULES, {
    description: `Restart and deploy: default \`${reboot.restart}\`, and \`never\` is refused. Upgrade: default \`${reboot.upgrade}\`.`,
  }),
  check: Type.Union([Type.Array(Argument, { minItems: 1, maxItems: 64 }), Type.Null()], {
    rule: 'must be a command as a list of 1 to 64 texts of up to 4096 characters without zero bytes, or null',
    description: `A program and its arguments, which must end with 0 on a host before it counts as healthy. Default \`${plain.check}\`: none.`,
  }),
  min_healthy_s: seconds(
    `How many seconds a host must stay healthy before its slot is freed; less than \`timeouts.ready\`. Default ${plain.minHealthyS}.`,
    0,
  ),
  window: Type.Union([Window, Type.Null()], {
    rule: 'must be null, or have days (a list of mon to sun), start and end (HH:MM), zone, and nothing else',
    description: `New hosts are started only while it is open; none is interrupted when it closes. Default \`${plain.window}\`: at any time.`,
  }),
  dry_run: Type.Boolean({
    description: 'Answers the plan and the commands, and changes nothing. Default `false`.',
  }),
};

const drainDescription =
  'Whether nodes are drained, and how. Without a container manager they never are; with one: default `true`.';

const timeoutsDescription = 'How many seconds each part may take on a host.';

/** What a caller wants of a policy. What is left out is as the cluster has it, else the default. */
export const PolicyWish = Type.Partial(
  Type.Object({
    ...fields,
    drain: Type.Union([Type.Boolean(), Type.Partial(Type.Object(drainFields), closed)], {
      rule: `must be true, false, or an object of timeout_s (1 to ${LONGEST_S}), on_timeout (fail, force), and nothing else`,
      description: drainDescription,
    }),
    timeouts: Type.Partial(Type.Object(timeoutFields), { ...closed, description: timeoutsDescription }),
  }),
  closed,
);

/** A policy as it holds: nothing is left out. */
export const Policy = Type.Object({
  ...fields,
  drain: Type.Union([Type.Literal(false), Type.Object(drainFields, closed)], {
    description: drainDescription,
  }),
  timeouts: Type.Object(timeoutFields, { ...closed, description: timeoutsDescription }),
});
