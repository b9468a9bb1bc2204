// A policy as it is typed into a form, and as it goes over the wire. What is empty in the form is left out of the wish, so it is as the
// cluster has it, else the default. What a value must be is the service's to say; here is only said what is no number or list at all.

import type { Static } from 'typebox';
import type { PolicyWish } from '#contract/policy.ts';

export type Wish = Static<typeof PolicyWish>;

/** Everything a text. A `_rule` says whether the field is left out (empty), switched off, or given by the texts beside it. */
export const EMPTY_DRAFT = {
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
export type DraftField = keyof typeof EMPTY_DRAFT;
export type PolicyDraft = Readonly<Record<DraftField, string>>;
export type DraftErrors = Partial<Record<DraftField, string>>;
