// The flag of each policy field. Errors name what the user typed: `--max-unavailable`, not `policy.max_unavailable`.

import type { Static } from 'typebox';
import type { PolicyInput } from '../../contract/policy.ts';

type PolicyField = keyof Static<typeof PolicyInput>;

export const POLICY_FLAGS: Readonly<Record<PolicyField, string>> = {
  max_unavailable: '--max-unavailable',
  canary: '--canary',
  ramp: '--ramp',
  unhealthy: '--unhealthy',
  max_excluded: '--max-excluded',
  wait: '--wait-for-hosts',
  max_failures: '--max-failures',
  on_failure: '--on-failure',
  hosts: '--hosts',
  labels: '--label',
  order: '--order',
  stage_parallel: '--stage-parallel',
  drain: '--drain-timeout',
  reboot: '--reboot',
  check: '--check',
  timeouts: '--timeout',
  min_healthy_s: '--min-healthy',
  window: '--window',
  dry_run: '--dry-run',
};

const isPolicyField = (text: string): text is PolicyField => Object.hasOwn(POLICY_FLAGS, text);

const WINDOW_FIELDS: Readonly<Record<string, string>> = {
  days: 'days',
  start: 'start',
  end: 'end',
  zone: 'time zone',
};

/** The flag of a path such as `['timeouts', 'ready']`; `undefined` if the policy has no such field. */
export function toPolicyFlag([field = '', part]: readonly string[]): string | undefined {
  if (!isPolicyField(field)) return undefined;
  if (field === 'drain' && part === 'on_timeout') return '--drain-force';
  if (field === 'window' && part !== undefined && Object.hasOwn(WINDOW_FIELDS, part))
    return `the ${WINDOW_FIELDS[part]} of --window`;
  if (field === 'timeouts' && part !== undefined) return `--timeout ${part}`;
  return POLICY_FLAGS[field];
}

/** Names with an underscore are always policy fields. The others, such as `hosts`, are also ordinary words. */
const UNDERSCORED = Object.keys(POLICY_FLAGS).filter(field => field.includes('_'));

const POLICY_FIELD_NAMES = new RegExp(
  `\\b(?:policy[./])?(?:(timeouts|drain)\\.(stage|apply|reboot|ready|timeout_s|on_timeout)|(${UNDERSCORED.join('|')}))\\b`,
  'g',
);

export const replacePolicyFields = (text: string): string =>
  text
    .replace(POLICY_FIELD_NAMES, (found, group?: string, part?: string, field?: string) => {
      const path = group === undefined ? [field ?? ''] : [group, part ?? ''];
      return toPolicyFlag(path) ?? found;
    })
    .replace(/\bunhealthy: (count|exclude)\b/g, '--unhealthy $1')
    .replace(/\bwait: true\b/g, '--wait-for-hosts');
