import type { Static } from 'typebox';
import type { Policy } from '#contract/policy.ts';
import { formatCommand, formatDuration } from '#sdk/format.ts';
import { formatCount, toLabel, truncateList } from '../ui/format/text.ts';
import { DEFAULT_POLICY } from './policy-fields.ts';
import type { PartialPolicy } from './policy-form-values.ts';

const formatHosts = (count: number) => formatCount(count, 'host');
const formatSeconds = (s: number) => formatDuration(s * 1000);
const MAX_LISTED = 3;

const truncateNames = (texts: readonly string[]) => truncateList(texts, MAX_LISTED);

const formatAmount = (value: number | string, base: string) =>
  typeof value === 'number' ? formatHosts(value) : `${value} of the ${base}`;

function formatDrain(drain: NonNullable<PartialPolicy['drain']>): string {
  if (typeof drain === 'boolean') return drain ? 'Yes' : 'No';
  const timeoutText = drain.timeout_s === undefined ? '' : `, within ${formatSeconds(drain.timeout_s)}`;
  const timeoutActions = { force: ', then force', fail: ', then fail the host' };
  return `Yes${timeoutText}${drain.on_timeout === undefined ? '' : timeoutActions[drain.on_timeout]}`;
}

const formatIfSet = <Value>(value: Value | undefined | null, format: (value: Value) => string): string =>
  value === undefined || value === null ? '' : format(value);

type PolicyField = Exclude<keyof PartialPolicy, 'dry_run'>;
type FieldFormatter = (input: PartialPolicy) => string;

const FORMATTERS: Readonly<Record<string, FieldFormatter>> = {
  max_unavailable: input => formatIfSet(input.max_unavailable, value => formatAmount(value, 'members')),
  canary: input => formatIfSet(input.canary, value => (value === 0 ? 'None' : formatHosts(value))),
  ramp: input => formatIfSet(input.ramp, value => (value ? '1, 2, 4, … hosts at a time' : 'No')),
  stage_parallel: input => formatIfSet(input.stage_parallel, formatHosts),
  unhealthy: input => formatIfSet(input.unhealthy, value => (value === 'exclude' ? 'Exclude' : 'Count')),
  max_excluded: input => formatIfSet(input.max_excluded, value => formatAmount(value, 'members')),
  wait: input => formatIfSet(input.wait, value => (value ? 'Yes' : 'No')),
  max_failures: input =>
    formatIfSet(input.max_failures, value => (value === 0 ? 'None' : formatAmount(value, 'hosts'))),
  on_failure: input =>
    formatIfSet(input.on_failure, value => (value === 'pause' ? 'Pause the operation' : 'Fail the operation')),
  hosts: input => formatIfSet(input.hosts, truncateNames),
  labels: input => formatIfSet(input.labels, value => (value.length === 0 ? 'Any' : value.join(', '))),
  order: input =>
    formatIfSet(input.order, value =>
      value === 'address' ? 'By address' : `${truncateNames([value].flat())}, then the others by address`,
    ),
  reboot: input => formatIfSet(input.reboot, value => toLabel(value)),
  check: input => formatIfSet(input.check, formatCommand),
  min_healthy_s: input => formatIfSet(input.min_healthy_s, formatSeconds),
  drain: input => formatIfSet(input.drain, formatDrain),
  window: input =>
    formatIfSet(input.window, ({ days, start, end, zone }) => `${days.join(', ')} ${start}–${end}, ${zone}`),
  timeouts: input =>
    formatIfSet(input.timeouts, value =>
      Object.entries(value)
        .map(([part, s]) => `${part} ${formatSeconds(s)}`)
        .join(', '),
    ),
} satisfies Record<PolicyField, FieldFormatter>;

const NULL_TEXTS: Readonly<Record<string, string>> = {
  hosts: 'All members',
  check: 'None',
  window: 'Always open',
} satisfies Partial<Record<PolicyField, string>>;

const DEPENDENT_DEFAULTS: Readonly<Record<string, string>> = {
  reboot: 'Always for restart and deploy, if needed for upgrade',
  drain: 'Yes if the cluster has a container manager',
} satisfies Partial<Record<PolicyField, string>>;

export const formatPolicyDefault = (name: string): string =>
  `${DEPENDENT_DEFAULTS[name] ?? formatPolicyField(name, DEFAULT_POLICY)} (default)`;

/** Returns an empty string if the policy does not set the field. */
export function formatPolicyField(name: string, input: PartialPolicy): string {
  if (Object.entries(input).some(([field, value]) => field === name && value === null))
    return NULL_TEXTS[name] ?? 'None';
  return FORMATTERS[name]?.(input) ?? '';
}

type EffectivePolicy = Static<typeof Policy>;

const toDuration = (seconds: number) => formatDuration(seconds * 1000);

const formatFailureLimit = (limit: number | string): string => {
  if (limit === 0 || limit === '0%') return 'a host fails';
  return `more than ${typeof limit === 'number' ? formatCount(limit, 'host') : `${limit} of the hosts`} ${limit === 1 ? 'fails' : 'fail'}`;
};

export function rolloutSummary({
  canary,
  ramp,
  window,
  on_failure,
  min_healthy_s,
  stage_parallel,
  unhealthy,
  max_excluded,
  max_failures,
  wait,
  timeouts,
}: EffectivePolicy): readonly string[] {
  return [
    ...(canary === 0
      ? []
      : [
          `${formatCount(canary, 'canary host')} ${canary === 1 ? 'runs' : 'run'} first; the rest start after ${canary === 1 ? 'it is' : 'all of them are'} verified.`,
        ]),
    ...(ramp ? ['Ramps up: 1, 2, 4, … hosts at a time as hosts are verified.'] : []),
    ...(window === null
      ? []
      : [`New hosts start only ${window.days.join(', ')} ${window.start}–${window.end} (${window.zone}).`]),
    ...(unhealthy === 'exclude' ? [`Hosts that are already unavailable are excluded, at most ${max_excluded}.`] : []),
    ...(wait ? [`The operation waits up to ${toDuration(timeouts.ready)} for unavailable hosts.`] : []),
    `A host must stay healthy for ${toDuration(min_healthy_s)}. Up to ${formatCount(stage_parallel, 'host')} ${stage_parallel === 1 ? 'prepares' : 'prepare'} at the same time.`,
    `The operation ${on_failure}s if ${formatFailureLimit(max_failures)}.`,
  ];
}
