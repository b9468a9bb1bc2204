import { describe, expect, test } from 'vitest';
import { PolicyInput } from '#contract/policy.ts';
import { ApiError } from '#sdk/errors.ts';
import { POLICY_DEFAULTS } from '../../../src/domain/defaults.ts';
import { mapFieldErrors } from '../ui/forms/field-errors.ts';
import { DEFAULT_DRAIN, DEFAULT_POLICY, POLICY_HINTS, POLICY_LABELS } from './policy-fields.ts';
import type { PartialPolicy, PolicyFormValues } from './policy-form-values.ts';
import { EMPTY_POLICY_FORM, formFieldFor, toFormValues, updateFormValues } from './policy-form-values.ts';
import { toPolicyInput } from './policy-input.ts';
import { formatPolicyDefault, formatPolicyField } from './policy-summary.ts';

const window: PartialPolicy['window'] = {
  days: ['sat', 'sun'],
  start: '22:00',
  end: '04:00',
  zone: 'Europe/Berlin',
};

const FORMS: readonly [Partial<PolicyFormValues>, PartialPolicy][] = [
  [{}, {}],
  [
    { max_unavailable: '25%', canary: '1' },
    { max_unavailable: '25%', canary: 1 },
  ],
  [
    { max_unavailable: '3', max_failures: '0' },
    { max_unavailable: 3, max_failures: 0 },
  ],
  [{ ramp: 'true' }, { ramp: true }],
  [{ ramp: 'false' }, { ramp: false }],
  [
    { on_failure: 'pause', reboot: 'if_needed', stage_parallel: '5', min_healthy_s: '0' },
    { on_failure: 'pause', reboot: 'if_needed', stage_parallel: 5, min_healthy_s: 0 },
  ],
  [
    { unhealthy: 'exclude', max_excluded: '20%', wait: 'true' },
    { unhealthy: 'exclude', max_excluded: '20%', wait: true },
  ],
  [
    { unhealthy: 'count', max_excluded: '3', wait: 'false' },
    { unhealthy: 'count', max_excluded: 3, wait: false },
  ],
  [{ hosts_mode: 'none' }, { hosts: null }],
  [{ hosts_mode: 'custom', hosts: '127.0.0.1\n::1' }, { hosts: ['127.0.0.1', '::1'] }],
  [{ labels_mode: 'none' }, { labels: [] }],
  [{ labels_mode: 'custom', labels: 'ring=first\ndb' }, { labels: ['ring=first', 'db'] }],
  [{ order_mode: 'none' }, { order: 'address' }],
  [{ order_mode: 'custom', order: '127.0.0.9' }, { order: ['127.0.0.9'] }],
  [{ check_mode: 'none' }, { check: null }],
  [{ check_mode: 'custom', check: 'curl -fsS http://127.0.0.1' }, { check: ['curl', '-fsS', 'http://127.0.0.1'] }],
  [{ check_mode: 'custom', check: '["sh","-c","a b"]' }, { check: ['sh', '-c', 'a b'] }],
  [{ drain_mode: 'none' }, { drain: false }],
  [{ drain_mode: 'custom' }, { drain: true }],
  [
    { drain_mode: 'custom', drain_timeout_s: '300', drain_on_timeout: 'force' },
    { drain: { timeout_s: 300, on_timeout: 'force' } },
  ],
  [{ window_mode: 'none' }, { window: null }],
  [
    {
      window_mode: 'custom',
      window_days: 'sat sun',
      window_start: '22:00',
      window_end: '04:00',
      window_zone: 'Europe/Berlin',
    },
    { window },
  ],
  [{ timeouts_reboot: '600', timeouts_ready: '60' }, { timeouts: { reboot: 600, ready: 60 } }],
];

describe('policy form', () => {
  test.each(FORMS)('converts %j to the input %j and back', (values, input) => {
    expect(toPolicyInput({ ...EMPTY_POLICY_FORM, ...values })).toEqual({ input, errors: {} });
    expect(toFormValues(input)).toEqual({ ...EMPTY_POLICY_FORM, ...values });
  });

  test('updateFormValues replaces only the fields that the policy sets', () => {
    const values = { ...EMPTY_POLICY_FORM, max_unavailable: '1', canary: 'x', hosts: '127.0.0.1' };
    expect(updateFormValues(values, { max_unavailable: 3, unhealthy: 'count', wait: true })).toEqual({
      ...{ ...values, max_unavailable: '3', unhealthy: 'count', wait: 'true' },
    });
  });

  test('toPolicyInput omits values whose mode is not selected', () => {
    const values = { hosts: '127.0.0.1', check: 'true', drain_timeout_s: '5', window_days: 'mon' };
    expect(toPolicyInput({ ...EMPTY_POLICY_FORM, ...values }).input).toEqual({});
  });

  test.each<[Partial<PolicyFormValues>, string, RegExp]>([
    [
      { max_unavailable: 'some' },
      'max_unavailable',
      /^Enter a number from 1 to 1,000,000 or a percentage from 1% to 100%$/,
    ],
    [{ canary: '-1' }, 'canary', /^Must be a whole number/],
    [{ timeouts_stage: '5m' }, 'timeouts_stage', /^Must be a whole number of seconds/],
    [{ drain_mode: 'custom', drain_timeout_s: 'x' }, 'drain_timeout_s', /^Must be a whole number of seconds/],
    [{ check_mode: 'custom', check: '[1]' }, 'check', /^Must be a command/],
  ])('rejects %j at the field %s', (values, field, message) => {
    const { errors } = toPolicyInput({ ...EMPTY_POLICY_FORM, ...values });
    expect(Object.keys(errors)).toEqual([field]);
    expect(Object.values(errors)[0]).toMatch(message);
  });

  const rejectedError = (path: string) =>
    new ApiError(422, {
      ...{ type: '/problems/invalid', title: 'Invalid', status: 422, code: 'invalid', request_id: 'r-1' },
      ...{ detail: `${path} must be other`, instance: '/api/v0/cluster/web/policy' },
      errors: [{ path, message: 'must be other' }],
    });

  test.each([
    ['/policy/max_unavailable', 'max_unavailable', 'Must be other'],
    ['/policy/hosts/0', 'hosts', 'Item 1 must be other'],
    ['/policy/window', 'window_mode', 'Must be other'],
    ['/policy/window/start', 'window_start', 'Must be other'],
    ['/policy/drain/timeout_s', 'drain_timeout_s', 'Must be other'],
    ['/policy/timeouts/stage', 'timeouts_stage', 'Must be other'],
  ])('shows a server error of %s only at the field %s', (path, field, text) => {
    const { byField, summary, formError } = mapFieldErrors(rejectedError(path), formFieldFor, '/policy');
    expect(byField).toEqual({ [field]: text });
    expect(summary).toMatchObject({ problem: { errors: [] } });
    expect(formError).toBeUndefined();
  });

  test.each(['/version', '/policy', '/policy/unknown'])('shows a server error of %s in the form error', path => {
    const formError = rejectedError(path);
    expect(mapFieldErrors(formError, formFieldFor, '/policy')).toEqual({
      byField: {},
      summary: undefined,
      formError,
    });
  });
});

describe('policy summary', () => {
  test.each<[PartialPolicy, string]>([
    [{ max_unavailable: 1 }, '1 host'],
    [{ max_unavailable: '25%' }, '25% of the members'],
    [{ canary: 0 }, 'None'],
    [{ ramp: true }, '1, 2, 4, … hosts at a time'],
    [{ on_failure: 'pause' }, 'Pause the operation'],
    [{ unhealthy: 'count' }, 'Count'],
    [{ unhealthy: 'exclude' }, 'Exclude'],
    [{ max_excluded: 3 }, '3 hosts'],
    [{ max_excluded: '10%' }, '10% of the members'],
    [{ wait: true }, 'Yes'],
    [{ hosts: null }, 'All members'],
    [{ hosts: ['::1', '::2', '::3', '::4', '::5'] }, '::1, ::2, ::3 and 2 more'],
    [{ labels: [] }, 'Any'],
    [{ order: ['::9'] }, '::9, then the others by address'],
    [{ check: ['sh', '-c', 'a b'] }, "sh -c 'a b'"],
    [{ min_healthy_s: 90 }, '1m 30s'],
    [{ drain: false }, 'No'],
    [{ drain: { timeout_s: 300, on_timeout: 'force' } }, 'Yes, within 5m, then force'],
    [{ window }, 'sat, sun 22:00–04:00, Europe/Berlin'],
    [{ timeouts: { reboot: 600 } }, 'reboot 10m'],
  ])('formatPolicyField formats %j', (input, text) => {
    const [name = ''] = Object.keys(input);
    expect(formatPolicyField(name, input)).toBe(text);
  });

  test.each([
    ['max_unavailable', '1 host (default)'],
    ['ramp', 'No (default)'],
    ['unhealthy', 'Count (default)'],
    ['max_excluded', '10% of the members (default)'],
    ['wait', 'No (default)'],
    ['hosts', 'All members (default)'],
    ['labels', 'Any (default)'],
    ['order', 'By address (default)'],
    ['check', 'None (default)'],
    ['min_healthy_s', '10s (default)'],
    ['window', 'Always open (default)'],
    ['timeouts', 'stage 30m, apply 30m, reboot 15m, ready 10m (default)'],
    ['reboot', 'Always for restart and deploy, if needed for upgrade (default)'],
    ['drain', 'Yes if the cluster has a container manager (default)'],
  ])('the default of %s is %s', (name, text) => {
    expect(formatPolicyDefault(name)).toBe(text);
  });

  test('has a label for every field except dry_run', () => {
    const { dry_run: _dryRun, ...fields } = PolicyInput.properties;
    expect(Object.keys(POLICY_LABELS).toSorted()).toEqual(Object.keys(fields).toSorted());
  });

  test('the form uses the defaults of the server', () => {
    const { drain, reboot, timeouts, ...plain } = POLICY_DEFAULTS;
    expect(DEFAULT_POLICY).toEqual({
      max_unavailable: plain.maxUnavailable,
      canary: plain.canary,
      ramp: plain.ramp,
      stage_parallel: plain.stageParallel,
      unhealthy: plain.unhealthy,
      max_excluded: plain.maxExcluded,
      wait: plain.wait,
      max_failures: plain.maxFailures,
      on_failure: plain.onFailure,
      hosts: plain.hosts,
      labels: plain.labels,
      order: plain.order,
      check: plain.check,
      min_healthy_s: plain.minHealthyS,
      window: plain.window,
      timeouts: {
        ...{ stage: timeouts.stageS, apply: timeouts.applyS },
        ...{ reboot: timeouts.rebootS, ready: timeouts.readyS },
      },
    });
    expect(DEFAULT_DRAIN).toEqual({ timeout_s: drain.timeoutS, on_timeout: drain.onTimeout });
    expect(reboot).toEqual({ restart: 'always', upgrade: 'if_needed', deploy: 'always' });
  });

  test.each(Object.entries(POLICY_HINTS))('the hint of %s leaves the default to the field itself', (_field, hint) => {
    expect(hint).not.toMatch(/default/i);
  });
});
