import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { PolicyInput } from '../../contract/policy.ts';
import { POLICY_FLAGS, replacePolicyFields, toPolicyFlag } from './policy-flags.ts';
import { withPolicyOptions } from './policy-options.ts';

const OPTIONS = withPolicyOptions(new Command())
  .option('--dry-run')
  .options.map(({ long }) => long);

test.each(Object.keys(PolicyInput.properties))('the policy field %s has an existing flag', field => {
  expect(OPTIONS).toContain(toPolicyFlag([field]));
});

test('policy flags are unique', () => {
  const flags = Object.values(POLICY_FLAGS);
  expect(new Set(flags).size).toBe(flags.length);
});

test.each([
  [['timeouts', 'ready'], '--timeout ready'],
  [['drain', 'timeout_s'], '--drain-timeout'],
  [['drain', 'on_timeout'], '--drain-force'],
  [['window', 'zone'], 'the time zone of --window'],
  [['window', 'constructor'], '--window'],
  [['hosts', '0'], '--hosts'],
  [['constructor'], undefined],
])('toPolicyFlag() converts %j to %s', (path, flag) => {
  expect(toPolicyFlag(path)).toBe(flag);
});

describe('replacePolicyFields()', () => {
  test.each([
    [
      'must be less than timeouts.ready, which is 600 seconds',
      'must be less than --timeout ready, which is 600 seconds',
    ],
    [
      '2 hosts use all slots (max_unavailable 1); exclude them (unhealthy: exclude), raise max_unavailable, or wait (wait: true)',
      '2 hosts use all slots (--max-unavailable 1); exclude them (--unhealthy exclude), raise --max-unavailable, or wait (--wait-for-hosts)',
    ],
    ['policy.max_failures is exceeded', '--max-failures is exceeded'],
    ['policy/drain.timeout_s is too long', '--drain-timeout is too long'],
    ['3 hosts exceed max_excluded 10%', '3 hosts exceed --max-excluded 10%'],
    ['the hosts wait for a window: order a check', 'the hosts wait for a window: order a check'],
    ['use --max-unavailable', 'use --max-unavailable'],
  ])('replaces policy fields by flags in: %s', (text, expected) => {
    expect(replacePolicyFields(text)).toBe(expected);
  });
});
