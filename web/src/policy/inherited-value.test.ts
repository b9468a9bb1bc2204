import { expect, test } from 'vitest';
import { inheritedValue } from './inherited-value.ts';
import type { PartialPolicy, PolicyFormField } from './policy-form-values.ts';

test.each<[PolicyFormField, PartialPolicy, string]>([
  ['max_unavailable', {}, '1 host (default)'],
  ['max_unavailable', { max_unavailable: 3 }, '3 hosts (cluster policy)'],
  ['hosts_mode', {}, 'All members (default)'],
  ['hosts_mode', { hosts: ['192.0.2.7'] }, '192.0.2.7 (cluster policy)'],
  ['unhealthy', { unhealthy: 'exclude' }, 'Exclude (cluster policy)'],
  ['min_healthy_s', {}, '10 (default)'],
  ['min_healthy_s', { min_healthy_s: 0 }, '0 (cluster policy)'],
  ['timeouts_stage', {}, '1800 (default)'],
  ['timeouts_stage', { timeouts: { stage: 60 } }, '60 (cluster policy)'],
  ['drain_mode', {}, 'Yes if the cluster has a container manager (default)'],
  ['drain_timeout_s', {}, '900 (default)'],
  ['drain_on_timeout', { drain: { on_timeout: 'force' } }, 'Force (cluster policy)'],
])('the value of %s with the policy %j is %s', (field, policy, text) => {
  expect(inheritedValue(field, policy)).toBe(text);
});
