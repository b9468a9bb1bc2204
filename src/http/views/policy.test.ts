import fc from 'fast-check';
import type { Static } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Policy, PolicyWish } from '../../contract/policy.ts';
import type { Policy as WholePolicy } from '../../domain/rollout/policy.ts';
import { resolvePolicy } from '../../domain/rollout/policy.ts';
import { OPERATION_KINDS } from '../../domain/vocabulary.ts';
import { compileSchema } from '../../lib/schema.ts';
import { toPolicyWish, viewPolicy } from './policy.ts';

type Wire = Static<typeof PolicyWish>;

const WINDOW = {
  days: ['sat'],
  start: '22:00',
  end: '04:00',
  zone: 'Europe/Berlin',
} satisfies Wire['window'];

describe('a wish for a policy', () => {
  test.each<[Wire, object]>([
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
  ])('%j is read as %j', (body, wish) => {
    expect(toPolicyWish(body)).toEqual(wish);
  });

  test.each<[Wire, string, RegExp]>([
    [{ max_unavailable: 'many' }, '/max_unavailable', /whole number/],
    [{ max_failures: '101%' }, '/max_failures', /whole number/],
    [{ hosts: [] }, '/hosts', /must name at least one host/],
    [{ hosts: ['127.0.0.1', 'web-1'] }, '/hosts/1', /IPv4 or IPv6/],
    [{ order: ['web-1'] }, '/order/0', /IPv4 or IPv6/],
    [{ check: ['', 'x'] }, '/check/0', /must be the name of a program/],
    [{ check: [] }, '/check/0', /must be the name of a program/],
    [{ window: { ...WINDOW, zone: 'Mars/Olympus' } }, '/window/zone', /IANA/],
  ])('%j is refused at %s', (body, path, message) => {
    const wrong = { message: expect.stringMatching(message) };
    expect(toPolicyWish(body)).toEqual([{ ...wrong, path: `/policy${path}` }]);
    expect(toPolicyWish(body, '')).toEqual([{ ...wrong, path }]);
  });

  test('reports every error', () => {
    expect(toPolicyWish({ hosts: ['a'], order: ['b'], check: [''] })).toMatchObject([
      { path: '/policy/hosts/0' },
      { path: '/policy/order/0' },
      { path: '/policy/check/0' },
    ]);
  });
});

const resolved = (kind: (typeof OPERATION_KINDS)[number], body: Wire, hasManager: boolean): WholePolicy => {
  const input = toPolicyWish(body);
  const policy = Array.isArray(input) ? input : resolvePolicy(kind, { input, defaults: {}, hasManager });
  if (Array.isArray(policy)) throw new Error(`refused: ${JSON.stringify(policy)}`);
  return policy;
};

describe('a policy as answered', () => {
  test('has every field, and the defaults', () => {
    expect(viewPolicy(resolved('restart', {}, true))).toEqual({
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

  test('says that nothing is drained', () => {
    expect(viewPolicy(resolved('restart', {}, false)).drain).toBe(false);
  });

  test('says that it is of a dry run', () => {
    expect(viewPolicy(resolved('restart', {}, false), { isDryRun: true }).dry_run).toBe(true);
  });

  const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const address = fc.integer({ min: 1, max: 254 }).map(last => `127.0.0.${last}`);
  const seconds = fc.integer({ min: 1, max: 86_400 });
  const body = fc.record({
    max_unavailable: some(fc.oneof(seconds, fc.constantFrom('1%', '100%'))),
    max_failures: some(fc.oneof(seconds, fc.constantFrom('0%', '100%'))),
    hosts: some(fc.option(fc.array(address, { minLength: 1 }))),
    labels: some(fc.subarray(['zone', 'zone=a1', 'rack=7'])),
    order: some(fc.oneof(fc.constant('address' as const), fc.array(address))),
    drain: some(fc.oneof(fc.boolean(), fc.record({ timeout_s: seconds }))),
    check: some(fc.option(fc.constant(['true', '']))),
    // A host must stay healthy for 10 s by default, which has to fit into `ready`.
    timeouts: some(fc.record({ stage: seconds, ready: fc.integer({ min: 11, max: 86_400 }) })),
    window: some(fc.option(fc.constant(WINDOW))),
  });
  /** As JSON has it: what is undefined is left out. */
  const sent = (value: object): Wire => JSON.parse(JSON.stringify(value));

  test('keeps to the contract, and may be sent again to the same effect', () => {
    const [checkAnswer, checkWish] = [compileSchema(Policy), compileSchema(PolicyWish)];
    fc.assert(
      fc.property(body, fc.constantFrom(...OPERATION_KINDS), fc.boolean(), (body, kind, hasManager) => {
        expect(checkWish(sent(body))).toEqual([]);
        const policy = resolved(kind, sent(body), hasManager);
        const answered = sent(viewPolicy(policy));
        expect([checkAnswer(answered), checkWish(answered)]).toEqual([[], []]);
        expect(resolved(kind, answered, hasManager)).toEqual(policy);
      }),
    );
  });
});
