import fc from 'fast-check';
import type { Static } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Policy, PolicyInput } from '../../contract/policy.ts';
import { AppError } from '../../domain/errors.ts';
import type { Policy as ResolvedPolicy } from '../../domain/rollout/policy.ts';
import { resolvePolicy } from '../../domain/rollout/policy.ts';
import { OPERATION_KINDS } from '../../domain/vocabulary.ts';
import { compileSchema } from '../../lib/schema.ts';
import { parsePolicyInput, viewPolicy, viewPolicyInput } from './policy.ts';

type PolicyBody = Static<typeof PolicyInput>;

const WINDOW = {
  days: ['sat'],
  start: '22:00',
  end: '04:00',
  zone: 'Europe/Berlin',
} satisfies PolicyBody['window'];

/** Drops undefined fields. */
const asJson = (value: object): PolicyBody => JSON.parse(JSON.stringify(value));

describe('parsePolicyInput', () => {
  test.each<[PolicyBody, object]>([
    [{}, {}],
    [{ max_unavailable: '25%' }, { maxUnavailable: '25%' }],
    [{ max_unavailable: 3 }, { maxUnavailable: 3 }],
    [{ canary: 2 }, { canary: 2 }],
    [{ ramp: true }, { ramp: true }],
    [{ unhealthy: 'exclude' }, { unhealthy: 'exclude' }],
    [{ max_excluded: 3 }, { maxExcluded: 3 }],
    [{ wait: true }, { wait: true }],
    [{ max_failures: '0%' }, { maxFailures: '0%' }],
    [{ on_failure: 'pause' }, { onFailure: 'pause' }],
    [{ hosts: null }, { hosts: null }],
    [{ hosts: ['127.0.0.10', '::ffff:127.0.0.9', '127.0.0.10'] }, { hosts: ['127.0.0.9', '127.0.0.10'] }],
    [{ labels: ['zone=b', 'zone', 'zone=b'] }, { labels: ['zone', 'zone=b'] }],
    [{ labels: [] }, { labels: [] }],
    [{ order: 'address' }, { order: 'address' }],
    [{ order: ['127.0.0.10', '0:0::1', '127.0.0.9', '::1'] }, { order: ['127.0.0.10', '::1', '127.0.0.9'] }],
    [{ stage_parallel: 5 }, { stageParallel: 5 }],
    [{ drain: true }, { drain: true }],
    [{ drain: false }, { drain: false }],
    [{ drain: {} }, { drain: {} }],
    [{ drain: { timeout_s: 5, on_timeout: 'force' } }, { drain: { timeoutS: 5, onTimeout: 'force' } }],
    [{ reboot: 'never' }, { reboot: 'never' }],
    [{ check: ['sh', '-c', ''] }, { check: ['sh', '-c', ''] }],
    [{ check: null }, { check: null }],
    [
      { timeouts: { stage: 1, apply: 2, reboot: 3, ready: 4 } },
      { timeouts: { stageS: 1, applyS: 2, rebootS: 3, readyS: 4 } },
    ],
    [{ min_healthy_s: 0 }, { minHealthyS: 0 }],
    [{ window: WINDOW }, { window: WINDOW }],
    [{ window: { ...WINDOW, days: ['sun', 'mon', 'sun'] } }, { window: { ...WINDOW, days: ['mon', 'sun'] } }],
    [{ window: null }, { window: null }],
    [{ dry_run: true }, { isDryRun: true }],
  ])('parses %j as %j', (body, input) => {
    expect(parsePolicyInput(body)).toEqual(input);
  });

  test.each<[PolicyBody, string, RegExp]>([
    [{ max_unavailable: 'many' }, '/max_unavailable', /whole number/],
    [{ max_failures: '101%' }, '/max_failures', /whole number/],
    [{ hosts: [] }, '/hosts', /must name at least one host/],
    [{ hosts: ['127.0.0.1', 'web-1'] }, '/hosts/1', /IPv4 or IPv6/],
    [{ order: ['web-1'] }, '/order/0', /IPv4 or IPv6/],
    [{ check: ['', 'x'] }, '/check/0', /must be the name of a program/],
    [{ check: [] }, '/check/0', /must be the name of a program/],
    [{ window: { ...WINDOW, zone: 'Mars/Olympus' } }, '/window/zone', /IANA/],
  ])('rejects %j at %s', (body, path, message) => {
    const error = { message: expect.stringMatching(message) };
    expect(parsePolicyInput(body)).toMatchObject({ errors: [{ ...error, path: `/policy${path}` }] });
    expect(parsePolicyInput(body, '')).toMatchObject({ errors: [{ ...error, path }] });
  });

  test('reports every error', () => {
    expect(parsePolicyInput({ hosts: ['a'], order: ['b'], check: [''] })).toMatchObject({
      errors: [{ path: '/policy/hosts/0' }, { path: '/policy/order/0' }, { path: '/policy/check/0' }],
    });
  });
});

const resolve = (kind: (typeof OPERATION_KINDS)[number], body: PolicyBody, hasManager: boolean): ResolvedPolicy => {
  const input = parsePolicyInput(body);
  const policy = input instanceof AppError ? input : resolvePolicy(kind, { input, defaults: {}, hasManager });
  if (policy instanceof AppError) throw new Error(`invalid policy: ${JSON.stringify(policy)}`);
  return policy;
};

describe('viewPolicy', () => {
  test('contains all fields with their defaults', () => {
    expect(viewPolicy(resolve('restart', {}, true))).toEqual({
      max_unavailable: 1,
      canary: 0,
      ramp: false,
      unhealthy: 'count',
      max_excluded: '10%',
      wait: false,
      max_failures: 0,
      on_failure: 'fail',
      hosts: null,
      labels: [],
      order: 'address',
      stage_parallel: 20,
      drain: { timeout_s: 900, on_timeout: 'fail' },
      reboot: 'always',
      check: null,
      timeouts: { stage: 1800, apply: 1800, reboot: 900, ready: 600 },
      min_healthy_s: 10,
      window: null,
      dry_run: false,
    });
  });

  test('shows that nodes are not drained', () => {
    expect(viewPolicy(resolve('restart', {}, false)).drain).toBe(false);
  });

  test('marks a dry run', () => {
    expect(viewPolicy(resolve('restart', {}, false), { isDryRun: true }).dry_run).toBe(true);
  });

  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const address = fc.integer({ min: 1, max: 254 }).map(last => `127.0.0.${last}`);
  const seconds = fc.integer({ min: 1, max: 86_400 });
  const body = fc.record({
    max_unavailable: optional(fc.oneof(seconds, fc.constantFrom('1%', '100%'))),
    max_failures: optional(fc.oneof(seconds, fc.constantFrom('0%', '100%'))),
    hosts: optional(fc.option(fc.array(address, { minLength: 1 }))),
    labels: optional(fc.subarray(['zone', 'zone=a1', 'rack=7'])),
    order: optional(fc.oneof(fc.constant('address' as const), fc.array(address))),
    drain: optional(fc.oneof(fc.boolean(), fc.record({ timeout_s: seconds }))),
    check: optional(fc.option(fc.constant(['true', '']))),
    // `ready` must exceed `min_healthy_s`, which is 10 s by default.
    timeouts: optional(fc.record({ stage: seconds, ready: fc.integer({ min: 11, max: 86_400 }) })),
    window: optional(fc.option(fc.constant(WINDOW))),
  });
  test('matches the contract and is equivalent when sent back', () => {
    const [validateResponse, validateInput] = [compileSchema(Policy), compileSchema(PolicyInput)];
    fc.assert(
      fc.property(body, fc.constantFrom(...OPERATION_KINDS), fc.boolean(), (body, kind, hasManager) => {
        expect(validateInput(asJson(body))).toEqual([]);
        const policy = resolve(kind, asJson(body), hasManager);
        const response = asJson(viewPolicy(policy));
        expect([validateResponse(response), validateInput(response)]).toEqual([[], []]);
        expect(resolve(kind, response, hasManager)).toEqual(policy);
      }),
    );
  });
});

/** Returns the policy as the store keeps it. */
const toStored = (body: Static<typeof PolicyInput>) => {
  const input = parsePolicyInput(body, '');
  if (input instanceof AppError) throw new Error(JSON.stringify(input));
  return JSON.parse(JSON.stringify(input));
};

test.each<Static<typeof PolicyInput>>([
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
])('viewPolicyInput returns %j unchanged', body => {
  expect(asJson(viewPolicyInput(toStored(body)))).toStrictEqual(body);
});
