import type { Wish } from './policy-draft.ts';

type Name = Exclude<keyof Wish, 'dry_run'>;

/** What the fields of a policy are called, in the groups in which people think of them. */
export const POLICY_GROUPS: readonly {
  readonly title: string;
  readonly fields: readonly (readonly [name: Name, title: string])[];
}[] = [
  {
    title: 'Rollout',
    fields: [
      ['max_unavailable', 'Max unavailable'],
      ['canary', 'Canary hosts'],
      ['ramp', 'Ramp up'],
      ['stage_parallel', 'Parallel downloads'],
    ],
  },
  {
    title: 'Hosts that are already unavailable',
    fields: [
      ['unhealthy', 'Already unavailable hosts'],
      ['max_excluded', 'Max excluded'],
      ['wait', 'Wait for unavailable hosts'],
    ],
  },
  {
    title: 'Failures',
    fields: [
      ['max_failures', 'Max failures'],
      ['on_failure', 'If more hosts fail'],
    ],
  },
  {
    title: 'Hosts to include',
    fields: [
      ['hosts', 'Hosts'],
      ['labels', 'Labels'],
      ['order', 'Order'],
    ],
  },
  {
    title: 'Reboot and health check',
    fields: [
      ['reboot', 'Reboot'],
      ['check', 'Health check command'],
      ['min_healthy_s', 'Minimum healthy time'],
    ],
  },
  { title: 'Drain', fields: [['drain', 'Drain nodes']] },
  { title: 'Time window', fields: [['window', 'Time window']] },
  { title: 'Timeouts', fields: [['timeouts', 'Timeouts']] },
];
