import type { Static } from 'typebox';
import { expect, test } from 'vitest';
import type { PolicyWish } from '../../contract/policy.ts';
import { toPolicyWish } from './policy.ts';
import { viewPolicyWish } from './policy-wish.ts';

/** As the store keeps it. */
const kept = (body: Static<typeof PolicyWish>) => {
  const wish = toPolicyWish(body, '');
  if (Array.isArray(wish)) throw new Error(JSON.stringify(wish));
  return JSON.parse(JSON.stringify(wish));
};

test.each<Static<typeof PolicyWish>>([
  {},
  { max_unavailable: '25%', canary: 1, ramp: true, max_failures: 2, on_failure: 'pause' },
  { hosts: null, check: null, window: null },
  { hosts: ['127.0.0.1', '127.0.0.2'], labels: ['rack=7', 'zone'], order: ['127.0.0.2', '127.0.0.1'] },
  { order: 'address', stage_parallel: 3, reboot: 'if_needed', min_healthy_s: 0, dry_run: false },
  { drain: true },
  { drain: false },
  { drain: { on_timeout: 'force' }, timeouts: { apply: 5 } },
  { drain: { timeout_s: 9 }, timeouts: { stage: 1, apply: 2, reboot: 3, ready: 4 } },
  { check: ['test', '-f', '/ok'], window: { days: ['sat'], start: '22:00', end: '04:00', zone: 'UTC' } },
])('%j is shown as it was sent, and no more', body => {
  expect(viewPolicyWish(kept(body))).toStrictEqual(body);
});
