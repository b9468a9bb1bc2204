import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address } from '../addresses/address.ts';
import { AppError } from '../errors.ts';
import type { OperationKind } from '../vocabulary.ts';
import { OPERATION_KINDS } from '../vocabulary.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import type { HostAmount, Policy, PolicyInput, PolicySources } from './policy.ts';
import { parseHostAmount, resolveHostAmount, resolvePolicy } from './policy.ts';

const A = '127.0.0.1' as Address;
const B = '127.0.0.2' as Address;
const WINDOW: MaintenanceWindow = { days: ['sat'], start: '22:00', end: '04:00', zone: 'Europe/Berlin' };

const resolve = (kind: OperationKind, { input = {}, defaults = {}, hasManager = true }: Partial<PolicySources>) =>
  resolvePolicy(kind, { input, defaults, hasManager });

function resolved(kind: OperationKind, sources: Partial<PolicySources>): Policy {
  const policy = resolve(kind, sources);
  if (policy instanceof AppError) throw new Error(`rejected: ${JSON.stringify(policy)}`);
  return policy;
}

describe('policy without any input', () => {
  test.each<[keyof Policy, unknown]>([
    ['maxUnavailable', 1],
    ['canary', 0],
    ['ramp', false],
    ['unhealthy', 'count'],
    ['maxExcluded', '10%'],
    ['wait', false],
    ['maxFailures', 0],
    ['onFailure', 'fail'],
    ['hosts', null],
    ['labels', []],
    ['order', 'address'],
    ['stageParallel', 20],
    ['drain', { timeoutS: 900, onTimeout: 'fail' }],
    ['check', null],
    ['timeouts', { stageS: 1800, applyS: 1800, rebootS: 900, readyS: 600 }],
    ['minHealthyS', 10],
    ['window', null],
  ])('has its default %s for every kind of operation', (field, value) => {
    for (const kind of OPERATION_KINDS) expect(resolved(kind, {})[field]).toEqual(value);
  });

  test.each([
    ['restart', 'always'],
    ['upgrade', 'if_needed'],
    ['deploy', 'always'],
  ] as const)('sets the reboot mode of a %s to %s', (kind, reboot) => {
    expect(resolved(kind, {}).reboot).toBe(reboot);
  });

  test('does not drain without a container manager', () => {
    expect(resolved('restart', { hasManager: false }).drain).toBeNull();
  });
});

describe('policy of the operation', () => {
  test.each<[keyof Policy, PolicyInput, PolicyInput]>([
    ['maxUnavailable', { maxUnavailable: '25%' }, { maxUnavailable: 3 }],
    ['canary', { canary: 0 }, { canary: 2 }],
    ['ramp', { ramp: false }, { ramp: true }],
    ['unhealthy', { unhealthy: 'count' }, { unhealthy: 'exclude' }],
    ['maxExcluded', { maxExcluded: 3 }, { maxExcluded: '20%' }],
    ['wait', { wait: false }, { wait: true }],
    ['maxFailures', { maxFailures: 0 }, { maxFailures: '10%' }],
    ['onFailure', { onFailure: 'fail' }, { onFailure: 'pause' }],
    ['hosts', { hosts: [A] }, { hosts: [B] }],
    ['hosts', { hosts: null }, { hosts: [B] }],
    ['labels', { labels: [] }, { labels: ['zone=a1'] }],
    ['order', { order: 'address' }, { order: [B, A] }],
    ['stageParallel', { stageParallel: 5 }, { stageParallel: 6 }],
    ['reboot', { reboot: 'never' }, { reboot: 'always' }],
    ['check', { check: ['true'] }, { check: ['false'] }],
    ['check', { check: null }, { check: ['false'] }],
    ['minHealthyS', { minHealthyS: 0 }, { minHealthyS: 60 }],
    ['window', { window: WINDOW }, { window: { ...WINDOW, zone: 'UTC' } }],
    ['window', { window: null }, { window: WINDOW }],
  ])('overrides %s of the cluster: %j over %j', (field, input, defaults) => {
    expect(resolved('upgrade', { input, defaults })[field]).toEqual(input[field]);
    expect(resolved('upgrade', { input: {}, defaults })[field]).toEqual(defaults[field]);
    expect(resolved('upgrade', { input: { [field]: undefined }, defaults })[field]).toEqual(defaults[field]);
  });

  test.each<[PolicyInput['drain'], PolicyInput['drain'], Policy['drain']]>([
    [undefined, undefined, { timeoutS: 900, onTimeout: 'fail' }],
    [{}, undefined, { timeoutS: 900, onTimeout: 'fail' }],
    [undefined, { timeoutS: 60 }, { timeoutS: 60, onTimeout: 'fail' }],
    [{ onTimeout: 'force' }, { timeoutS: 60 }, { timeoutS: 60, onTimeout: 'force' }],
    [{ timeoutS: 5 }, { timeoutS: 60, onTimeout: 'force' }, { timeoutS: 5, onTimeout: 'force' }],
    [true, { timeoutS: 60 }, { timeoutS: 60, onTimeout: 'fail' }],
    [true, false, { timeoutS: 900, onTimeout: 'fail' }],
    [{ timeoutS: 5 }, false, { timeoutS: 5, onTimeout: 'fail' }],
    [{ timeoutS: 5 }, true, { timeoutS: 5, onTimeout: 'fail' }],
    [undefined, false, null],
    [false, undefined, null],
    [false, { timeoutS: 60 }, null],
    [false, true, null],
  ])('overrides drain of the cluster: %j over %j is %j', (value, clusterValue, drain) => {
    const sources = { input: { drain: value }, defaults: { drain: clusterValue } };
    expect(resolved('upgrade', sources).drain).toEqual(drain);
    expect(resolved('upgrade', { ...sources, hasManager: false }).drain).toBeNull();
  });

  test('overrides each timeout of the cluster separately', () => {
    const input = { timeouts: { stageS: 1, applyS: undefined } };
    const defaults = { timeouts: { stageS: 2, applyS: 3, rebootS: 4 } };
    const timeouts = { stageS: 1, applyS: 3, rebootS: 4, readyS: 600 };
    expect(resolved('upgrade', { input, defaults }).timeouts).toEqual(timeouts);
  });

  test('does not contain isDryRun', () => {
    const policy = resolved('upgrade', { input: { isDryRun: true }, defaults: { isDryRun: true } });
    expect(Object.keys(policy).sort()).toEqual(Object.keys(resolved('upgrade', {})).sort());
    expect(policy).not.toHaveProperty('isDryRun');
  });
});

describe('resolvePolicy', () => {
  test.each<[string, OperationKind, Partial<PolicySources>, string, RegExp]>([
    ['a restart without a reboot', 'restart', { input: { reboot: 'never' } }, '/policy/reboot', /^must not/],
    ['a deploy without a reboot', 'deploy', { input: { reboot: 'never' } }, '/policy/reboot', /^must not/],
    [
      'a restart in a cluster that never reboots',
      'restart',
      { defaults: { reboot: 'never' } },
      '/policy/reboot',
      /policy of the cluster/,
    ],
    [
      'a deploy in a cluster that never reboots',
      'deploy',
      { defaults: { reboot: 'never' } },
      '/policy/reboot',
      /policy of the cluster/,
    ],
    ['an empty list of hosts', 'upgrade', { input: { hosts: [] } }, '/policy/hosts', /^must name at least one host/],
    [
      'an empty list of hosts in the policy of the cluster',
      'upgrade',
      { defaults: { hosts: [] } },
      '/policy/hosts',
      /^must/,
    ],
    [
      'min_healthy_s that is not below timeouts.ready',
      'upgrade',
      { input: { minHealthyS: 60 }, defaults: { timeouts: { readyS: 60 } } },
      '/policy/min_healthy_s',
      /less than timeouts.ready, which is 60 seconds/,
    ],
    [
      'an unknown time zone',
      'upgrade',
      { input: { window: { ...WINDOW, zone: 'Mars/Olympus' } } },
      '/policy/window/zone',
      /IANA/,
    ],
  ])('rejects %s', (_what, kind, sources, path, message) => {
    expect(resolve(kind, sources)).toMatchObject({ errors: [{ path, message: expect.stringMatching(message) }] });
  });

  test('reports all errors', () => {
    const error = resolve('restart', { input: { reboot: 'never', hosts: [] } });
    expect(error).toMatchObject({ errors: [{ path: '/policy/hosts' }, { path: '/policy/reboot' }] });
  });

  test.each<[string, OperationKind, Partial<PolicySources>]>([
    ['an upgrade without a reboot', 'upgrade', { input: { reboot: 'never' } }],
    [
      'a restart that overrides reboot: never of the cluster',
      'restart',
      { input: { reboot: 'always' }, defaults: { reboot: 'never' } },
    ],
    ['a restart if needed', 'restart', { input: { reboot: 'if_needed' } }],
    ['hosts that override those of the cluster', 'upgrade', { input: { hosts: [A] }, defaults: { hosts: [] } }],
  ])('accepts %s', (_what, kind, sources) => {
    expect(Array.isArray(resolve(kind, sources))).toBe(false);
  });
});

describe('host amount', () => {
  test.each<[HostAmount, number, number, number]>([
    [1, 10, 1, 1],
    [7, 10, 1, 7],
    [7, 3, 1, 7],
    [1, 0, 1, 1],
    [0, 10, 0, 0],
    // With integer division, 25 / 100 would be 0.
    ['25%', 10, 1, 2],
    ['25%', 100, 1, 25],
    ['50%', 3, 1, 1],
    ['99%', 100, 1, 99],
    ['25%', 3, 1, 1],
    ['25%', 3, 0, 0],
    ['1%', 99, 1, 1],
    ['1%', 200, 1, 2],
    ['1%', 0, 1, 1],
    ['1%', 0, 0, 0],
    ['0%', 10, 0, 0],
    ['100%', 10, 1, 10],
    ['100%', 0, 1, 1],
    // With floating-point fractions, these would round down one too low.
    ['29%', 100, 1, 29],
    ['57%', 100, 1, 57],
    ['7%', 100, 1, 7],
  ])('%s of %i with a minimum of %i is %i', (amount, total, atLeast, hosts) => {
    expect(resolveHostAmount(amount, total, { atLeast })).toBe(hosts);
  });

  test('a percentage is rounded down to a whole host', () => {
    const percent = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(percent, fc.integer({ min: 0, max: 100_000 }), (percent, total) => {
        const hosts = resolveHostAmount(`${percent}%`, total, { atLeast: 0 });
        expect(hosts * 100).toBeLessThanOrEqual(total * percent);
        expect((hosts + 1) * 100).toBeGreaterThan(total * percent);
      }),
    );
  });

  test.each<number | string>([0, 1, 1000, '0%', '1%', '25%', '99%', '100%'])('parses %j', given => {
    expect(parseHostAmount(given)).toBe(given);
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects the number %d', given => {
    expect(parseHostAmount(given)).toBeUndefined();
  });

  test.each(['', '%', '5', '101%', '-1%', '2.5%', '05%', '1e1%', ' 5%', '5%\n', '5 %'])(
    'rejects the text %j',
    given => {
      expect(parseHostAmount(given)).toBeUndefined();
    },
  );
});
