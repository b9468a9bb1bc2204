// The flag of each policy field. Errors name what the user typed: `--max-unavailable`, not `policy.max_unavailable`.

import type { Static } from 'typebox';
import type { PolicyWish } from '../../contract/policy.ts';

type PolicyField = keyof Static<typeof PolicyWish>;

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

const WINDOW_PARTS: Readonly<Record<string, string>> = {
  days: 'days',
  start: 'start',
  end: 'end',
  zone: 'time zone',
};

/** The flag of a place in a policy, such as `['timeouts', 'ready']`; `undefined`: the policy has no such field. */
export function policyFlag([field = '', part]: readonly string[]): string | undefined {
  if (!isPolicyField(field)) return undefined;
  if (field === 'drain' && part === 'on_timeout') return '--drain-force';
  if (field === 'window' && part !== undefined && Object.hasOwn(WINDOW_PARTS, part))
    return `the ${WINDOW_PARTS[part]} of --window`;
  if (field === 'timeouts' && part !== undefined) return `--timeout ${part}`;
  return POLICY_FLAGS[field];
}

/** Names with an underscore are policy fields wherever they occur. The others, such as `hosts`, are also words of sentences. */
const UNDERSCORED = Object.keys(POLICY_FLAGS).filter(field => field.includes('_'));

const DISTINCT = new RegExp(
  `\\b(?:policy[./])?(?:(timeouts|drain)\\.(stage|apply|reboot|ready|timeout_s|on_timeout)|(${UNDERSCORED.join('|')}))\\b`,
  'g',
);

/** A message of the server with flags instead of policy fields. */
export const withFlagNames = (text: string): string =>
  text
    .replace(DISTINCT, (found, group?: string, part?: string, field?: string) => {
      const place = group === undefined ? [field ?? ''] : [group, part ?? ''];
      return policyFlag(place) ?? found;
    })
    .replace(/\bunhealthy: (count|exclude)\b/g, '--unhealthy $1')
    .replace(/\bwait: true\b/g, '--wait-for-hosts');
