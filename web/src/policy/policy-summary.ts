import type { Static } from 'typebox';
import type { Policy } from '#contract/policy.ts';
import { formatCommand, formatDuration } from '#sdk/format.ts';
import { formatCount, toLabel, truncateList } from '../ui/format/text.ts';
import { DEFAULT_POLICY, POLICY_LABELS } from './policy-fields.ts';
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

type PolicyField = keyof typeof POLICY_LABELS;
type FieldFormatters = { readonly [Name in PolicyField]: (value: NonNullable<PartialPolicy[Name]>) => string };

const FORMATTERS: FieldFormatters = {
  max_unavailable: value => formatAmount(value, 'members'),
  canary: value => (value === 0 ? 'None' : formatHosts(value)),
  ramp: value => (value ? '1, 2, 4, … hosts at a time' : 'No'),
  stage_parallel: formatHosts,
  unhealthy: value => (value === 'exclude' ? 'Exclude' : 'Count'),
  max_excluded: value => formatAmount(value, 'members'),
  wait: value => (value ? 'Yes' : 'No'),
  max_failures: value => (value === 0 ? 'None' : formatAmount(value, 'hosts')),
  on_failure: value => (value === 'pause' ? 'Pause the operation' : 'Fail the operation'),
  hosts: truncateNames,
  labels: value => (value.length === 0 ? 'Any' : value.join(', ')),
  order: value => (value === 'address' ? 'By address' : `${truncateNames([value].flat())}, then the others by address`),
  reboot: toLabel,
  check: formatCommand,
  min_healthy_s: formatSeconds,
  drain: formatDrain,
  window: ({ days, start, end, zone }) => `${days.join(', ')} ${start}–${end}, ${zone}`,
  timeouts: value =>
    Object.entries(value)
      .map(([part, s]) => `${part} ${formatSeconds(s)}`)
      .join(', '),
};

const NULL_TEXTS: Partial<Record<PolicyField, string>> = { hosts: 'All members', check: 'None', window: 'Always open' };

const DEPENDENT_DEFAULTS: Readonly<Record<string, string>> = {
  reboot: 'Always for restart and deploy, if needed for upgrade',
  drain: 'Yes if the cluster has a container manager',
} satisfies Partial<Record<PolicyField, string>>;

export const formatPolicyDefault = (name: string): string =>
  `${DEPENDENT_DEFAULTS[name] ?? formatPolicyField(name, DEFAULT_POLICY)} (default)`;

function formatValue<Name extends PolicyField>(name: Name, value: PartialPolicy[Name] | null): string {
  if (value === null) return NULL_TEXTS[name] ?? 'None';
  return value === undefined ? '' : FORMATTERS[name](value);
}

export const isPolicyField = (name: string): name is PolicyField => Object.hasOwn(POLICY_LABELS, name);

/** Returns an empty string if the policy does not set the field. */
export const formatPolicyField = (name: string, input: PartialPolicy): string =>
  isPolicyField(name) ? formatValue(name, input[name]) : '';

const formatFailureLimit = (limit: number | string): string => {
  if (limit === 0 || limit === '0%') return 'a host fails';
  return `more than ${typeof limit === 'number' ? formatHosts(limit) : `${limit} of the hosts`} ${limit === 1 ? 'fails' : 'fail'}`;
};

export function rolloutSummary(policy: Static<typeof Policy>): readonly string[] {
  const { canary, window, min_healthy_s, stage_parallel } = policy;
  return [
    ...(canary === 0
      ? []
      : [
          `${formatCount(canary, 'canary host')} ${canary === 1 ? 'runs' : 'run'} first; the rest start after ${canary === 1 ? 'it is' : 'all of them are'} verified.`,
        ]),
    ...(policy.ramp ? ['Ramps up: 1, 2, 4, … hosts at a time as hosts are verified.'] : []),
    ...(window === null
      ? []
      : [`New hosts start only ${window.days.join(', ')} ${window.start}–${window.end} (${window.zone}).`]),
    ...(policy.unhealthy === 'exclude'
      ? [`Hosts that are already unavailable are excluded, at most ${policy.max_excluded}.`]
      : []),
    ...(policy.wait
      ? [`The operation waits up to ${formatSeconds(policy.timeouts.ready)} for unavailable hosts.`]
      : []),
    `A host must stay healthy for ${formatSeconds(min_healthy_s)}. Up to ${formatHosts(stage_parallel)} ${stage_parallel === 1 ? 'prepares' : 'prepare'} at the same time.`,
    `The operation ${policy.on_failure}s if ${formatFailureLimit(policy.max_failures)}.`,
  ];
}
