// A policy as it is typed into a form, and as it goes over the wire. What is empty in the form is left out of the wish, so it is as the
// cluster has it, else the default. What a value must be is the service's to say; here is only said what is no number or list at all.

import type { Static } from 'typebox';
import type { PolicyInput } from '#contract/policy.ts';
import { formatCommandInput } from '#sdk/format.ts';

export type PartialPolicy = Static<typeof PolicyInput>;

/** Everything a text. A `_rule` says whether the field is left out (empty), switched off, or given by the texts beside it. */
export const EMPTY_POLICY_FORM = {
  max_unavailable: '',
  canary: '',
  ramp: '',
  stage_parallel: '',
  unhealthy: '',
  max_excluded: '',
  wait: '',
  max_failures: '',
  on_failure: '',
  hosts_rule: '',
  hosts: '',
  labels_rule: '',
  labels: '',
  order_rule: '',
  order: '',
  reboot: '',
  check_rule: '',
  check: '',
  min_healthy_s: '',
  drain_rule: '',
  drain_timeout_s: '',
  drain_on_timeout: '',
  window_rule: '',
  window_days: '',
  window_start: '',
  window_end: '',
  window_zone: '',
  timeouts_stage: '',
  timeouts_apply: '',
  timeouts_reboot: '',
  timeouts_ready: '',
};
export type PolicyFormField = keyof typeof EMPTY_POLICY_FORM;
export type PolicyFormValues = Readonly<Record<PolicyFormField, string>>;
export type PolicyFormErrors = Partial<Record<PolicyFormField, string>>;

const toText = (value: string | number | boolean | undefined) => (value === undefined ? '' : String(value));

/** Whether a field is left out, stands for none, or is given. */
const toMode = <Value>(value: Value | undefined, isNone: (value: Value) => boolean) => {
  if (value === undefined) return '';
  return isNone(value) ? 'none' : 'custom';
};

/** A wish as the form shows it; `wishOf` of it is the same wish. */
export function toFormValues(input: PartialPolicy): PolicyFormValues {
  const { hosts, labels, order, check, drain, window, timeouts } = input;
  const drainOptions = typeof drain === 'object' ? drain : undefined;
  return {
    ...EMPTY_POLICY_FORM,
    max_unavailable: toText(input.max_unavailable),
    canary: toText(input.canary),
    ramp: toText(input.ramp),
    stage_parallel: toText(input.stage_parallel),
    unhealthy: toText(input.unhealthy),
    max_excluded: toText(input.max_excluded),
    wait: toText(input.wait),
    max_failures: toText(input.max_failures),
    on_failure: toText(input.on_failure),
    hosts_rule: toMode(hosts, value => value === null),
    hosts: hosts?.join('\n') ?? '',
    labels_rule: toMode(labels, value => value.length === 0),
    labels: labels?.join('\n') ?? '',
    order_rule: toMode(order, value => value === 'address'),
    order: Array.isArray(order) ? order.join('\n') : '',
    reboot: toText(input.reboot),
    check_rule: toMode(check, value => value === null),
    check: check ? formatCommandInput(check) : '',
    min_healthy_s: toText(input.min_healthy_s),
    drain_rule: toMode(drain, value => value === false),
    drain_timeout_s: toText(drainOptions?.timeout_s),
    drain_on_timeout: toText(drainOptions?.on_timeout),
    window_rule: toMode(window, value => value === null),
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

/** A form in which the fields that a policy sets are replaced; all others keep what was typed. */
export function updateFormValues(values: PolicyFormValues, fields: PartialPolicy): PolicyFormValues {
  const changed = Object.entries(toFormValues(fields)).filter(([, value]) => value !== '');
  return { ...values, ...Object.fromEntries(changed) };
}

const isFormField = (name: string): name is PolicyFormField => Object.hasOwn(EMPTY_POLICY_FORM, name);

/** Where in the form it stands what the service says of a field of a policy, or of a part of one; `undefined`: nowhere. */
export const formFieldFor = (name: string, part = ''): PolicyFormField | undefined =>
  [`${name}_${part}`, name, `${name}_rule`].find(isFormField);
