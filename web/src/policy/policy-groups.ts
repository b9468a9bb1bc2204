import type { Wish } from './policy-draft.ts';

type Name = Exclude<keyof Wish, 'dry_run'>;

/** What the fields of a policy are called, in the groups in which people think of them. */
export const POLICY_GROUPS: readonly {
  readonly title: string;
  readonly fields: readonly (readonly [name: Name, title: string])[];
}[] = [
  {
    title: 'Pace',
    fields: [
      ['max_unavailable', 'Out of service at once'],
      ['canary', 'Canaries'],
      ['ramp', 'Slowly at first'],
      ['stage_parallel', 'Downloads at once'],
    ],
  },
  {
    title: 'Hosts that are already down',
    fields: [
      ['unhealthy', 'Unhealthy hosts'],
      ['max_excluded', 'Max excluded'],
      ['wait', 'Wait for blocking hosts'],
    ],
  },
  {
    title: 'Failures',
    fields: [
      ['max_failures', 'Failures that are borne'],
      ['on_failure', 'When more fail'],
    ],
  },
  {
    title: 'Which hosts',
    fields: [
      ['hosts', 'Hosts'],
      ['labels', 'Labels'],
      ['order', 'Order'],
    ],
  },
  {
    title: 'Reboot and check',
    fields: [
      ['reboot', 'Reboot'],
      ['check', 'Check'],
      ['min_healthy_s', 'Must stay healthy for'],
    ],
  },
  { title: 'Drain', fields: [['drain', 'Drain nodes']] },
  { title: 'Window', fields: [['window', 'Window']] },
  { title: 'Timeouts', fields: [['timeouts', 'Longest times']] },
];
