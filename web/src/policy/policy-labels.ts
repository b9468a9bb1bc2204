import type { Wish } from './policy-draft.ts';

/** Labels of the policy fields in the form and in the list, in the order of the list. */
export const POLICY_LABELS: Readonly<Record<Exclude<keyof Wish, 'dry_run'>, string>> = {
  max_unavailable: 'Max unavailable',
  canary: 'Canary hosts',
  ramp: 'Ramp up',
  stage_parallel: 'Parallel downloads',
  unhealthy: 'Already unavailable hosts',
  max_excluded: 'Max excluded',
  wait: 'Wait for unavailable hosts',
  max_failures: 'Max failures',
  on_failure: 'If more hosts fail',
  hosts: 'Hosts',
  labels: 'Labels',
  order: 'Order',
  reboot: 'Reboot',
  check: 'Health check command',
  min_healthy_s: 'Minimum healthy time',
  drain: 'Drain nodes',
  window: 'Time window',
  timeouts: 'Timeouts',
};
