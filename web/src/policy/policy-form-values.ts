// A policy as form values and as API input. An empty form field is omitted from the input: the policy of the cluster
// applies, then the default. The server validates values; the form only rejects text that is not a number or list.

import type { Static } from 'typebox';
import type { PolicyInput } from '#contract/policy.ts';
import { formatCommandInput } from '#sdk/format.ts';

export type PartialPolicy = Static<typeof PolicyInput>;

const toText = (value: string | number | boolean | undefined) => (value === undefined ? '' : String(value));

const toMode = <Value>(value: Value | undefined, isNone: (value: Value) => boolean) => {
  if (value === undefined) return '';
  return isNone(value) ? 'none' : 'custom';
};

/**
 * All values are strings. A `_mode` field is empty (omitted), `none` or `custom` (the value is in the related fields).
 */
export function toFormValues(input: PartialPolicy) {
  const { hosts, labels, order, check, drain, window, timeouts } = input;
  const drainOptions = typeof drain === 'object' ? drain : undefined;
  return {
    max_unavailable: toText(input.max_unavailable),
    canary: toText(input.canary),
    ramp: toText(input.ramp),
    stage_parallel: toText(input.stage_parallel),
    unhealthy: toText(input.unhealthy),
    max_excluded: toText(input.max_excluded),
    wait: toText(input.wait),
    max_failures: toText(input.max_failures),
    on_failure: toText(input.on_failure),
    hosts_mode: toMode(hosts, value => value === null),
    hosts: hosts?.join('\n') ?? '',
    labels_mode: toMode(labels, value => value.length === 0),
    labels: labels?.join('\n') ?? '',
    order_mode: toMode(order, value => value === 'address'),
    order: Array.isArray(order) ? order.join('\n') : '',
    reboot: toText(input.reboot),
    check_mode: toMode(check, value => value === null),
    check: check ? formatCommandInput(check) : '',
    min_healthy_s: toText(input.min_healthy_s),
    drain_mode: toMode(drain, value => value === false),
    drain_timeout_s: toText(drainOptions?.timeout_s),
    drain_on_timeout: toText(drainOptions?.on_timeout),
    window_mode: toMode(window, value => value === null),
    window_days: window?.days.join(' ') ?? '',
    window_start: toText(window?.start),
    window_end: toText(window?.end),
    window_zone: toText(window?.zone),
    timeouts_stage: toText(timeouts?.stage),
    timeouts_apply: toText(timeouts?.apply),
    timeouts_reboot: toText(timeouts?.reboot),
    timeouts_ready: toText(timeouts?.ready),
  };
}

export type PolicyFormValues = Readonly<ReturnType<typeof toFormValues>>;
export type PolicyFormField = keyof PolicyFormValues;
export type PolicyFormErrors = Partial<Record<PolicyFormField, string>>;

export const EMPTY_POLICY_FORM: PolicyFormValues = toFormValues({});

/** Replaces the fields that `fields` sets. */
export function updateFormValues(values: PolicyFormValues, fields: PartialPolicy): PolicyFormValues {
  const changed = Object.entries(toFormValues(fields)).filter(([, value]) => value !== '');
  return { ...values, ...Object.fromEntries(changed) };
}

export const isFormField = (name: string): name is PolicyFormField => Object.hasOwn(EMPTY_POLICY_FORM, name);

/** Maps a policy field, or a part of one, to the form field that shows its error. Undefined if no field matches. */
export const formFieldFor = (name: string, part = ''): PolicyFormField | undefined =>
  [`${name}_${part}`, name, `${name}_mode`].find(isFormField);
