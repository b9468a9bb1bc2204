import type { PartialPolicy, PolicyFormField } from './policy-form-values.ts';

/** Labels for the form and the list, in the order of the list. */
export const POLICY_LABELS: Readonly<Record<Exclude<keyof PartialPolicy, 'dry_run'>, string>> = {
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

/** Defaults of a policy. The defaults of `reboot` and `drain` depend on the operation and the cluster. */
export const DEFAULT_POLICY: PartialPolicy = {
  max_unavailable: 1,
  canary: 0,
  ramp: false,
  stage_parallel: 20,
  unhealthy: 'count',
  max_excluded: '10%',
  wait: false,
  max_failures: 0,
  on_failure: 'fail',
  hosts: null,
  labels: [],
  order: 'address',
  check: null,
  min_healthy_s: 10,
  window: null,
  timeouts: { stage: 1800, apply: 1800, reboot: 900, ready: 600 },
};
export const DEFAULT_DRAIN = { timeout_s: 900, on_timeout: 'fail' } as const;

export const POLICY_HINTS: Readonly<Record<PolicyFormField, string>> = {
  max_unavailable:
    'Number of slots: how many hosts of the cluster can be unavailable at the same time, as a number or a percentage. Percentages are rounded down; the minimum is 1 host.',
  canary: 'How many hosts start first. The other hosts wait until all of these are healthy.',
  ramp: 'Start with 1 host at a time, then 2, 4, … up to the limit as hosts succeed.',
  stage_parallel:
    'How many hosts download at the same time. The limit can be exceeded briefly when unreachable hosts come back.',
  unhealthy:
    'Count: they use slots. Exclude: they are skipped and use no slot. Decided once, after the first check of all hosts.',
  max_excluded:
    'Only with Exclude: how many hosts can be excluded, as a number or a percentage. If more are unavailable, the operation fails. Percentages are rounded down; the minimum is 1 host.',
  wait: 'If hosts that are already unavailable use all slots, wait for them up to the Ready timeout instead of failing at once.',
  max_failures:
    'How many hosts can fail, as a number or a percentage. If more fail, no further host starts. Percentages are rounded down.',
  on_failure: 'Also applies if unavailable hosts use all slots. Pause: the operation waits until a user decides.',
  hosts_mode: 'Hosts of the cluster that the operation includes.',
  hosts: 'One per line or comma-separated.',
  labels_mode: 'Include only hosts that have all of the required labels.',
  labels: 'key=value or key, one per line or comma-separated.',
  order_mode: 'Hosts that are already unavailable always come first.',
  order: 'One per line or comma-separated.',
  reboot: 'When to reboot a host. Never is possible only for upgrade.',
  check_mode: 'A command that must succeed on a host before the host counts as healthy.',
  check: 'Command and arguments, run without a shell. Use a JSON array if an argument contains spaces.',
  min_healthy_s: 'How long a host must stay healthy before it is done. Must be shorter than the Ready timeout.',
  drain_mode: 'Drain each node before its host changes.',
  drain_timeout_s: 'How long draining a node can take.',
  drain_on_timeout: 'Fail: the host fails. Force: the remaining workloads are removed.',
  window_mode: 'Days and times at which new hosts can start. Hosts in flight continue when the window closes.',
  window_days: 'Days on which the window opens.',
  window_start: 'In the time zone of the window.',
  window_end: 'If not after the opening time, the window closes on the next day.',
  window_zone: 'For example Europe/Berlin.',
  timeouts_stage: 'Time limit for downloading the new version.',
  timeouts_apply: 'Time limit for installing the new version.',
  timeouts_reboot: 'Time limit for a reboot.',
  timeouts_ready: 'Time limit for a host to become healthy, and for waiting for unavailable hosts.',
};
