import { describe, expect, test } from 'vitest';
import { AppError } from '../domain/errors.ts';
import { resolvePolicy } from '../domain/rollout/policy.ts';
import type { OperationKind } from '../domain/vocabulary.ts';
import { OPERATION_KINDS } from '../domain/vocabulary.ts';
import { viewPolicy } from '../http/views/policy.ts';
import { compileSchema } from '../lib/schema.ts';
import { Policy, PolicyInput } from './policy.ts';

const validate = compileSchema(PolicyInput);
const WINDOW = { days: ['sat', 'sun'], start: '22:00', end: '04:00', zone: 'Europe/Berlin' };

describe('PolicyInput schema', () => {
  test.each<[string, readonly unknown[]]>([
    ['max_unavailable', [1, 1000, 1_000_000, '1%', '9%', '25%', '100%']],
    ['canary', [0, 3, 1_000_000]],
    ['ramp', [true, false]],
    ['max_failures', [0, 5, 1_000_000, '0%', '10%', '100%']],
    ['on_failure', ['fail', 'pause']],
    ['hosts', [null, [], ['127.0.0.1', '::1']]],
    ['labels', [[], ['zone', 'zone=a1', 'zone=']]],
    ['order', ['address', [], ['127.0.0.1']]],
    ['stage_parallel', [1, 1000]],
    ['drain', [true, false, {}, { timeout_s: 1 }, { timeout_s: 86_400, on_timeout: 'force' }]],
    ['reboot', ['if_needed', 'always', 'never']],
    ['check', [null, ['true'], Array(64).fill('x'), ['a', ''], ['sh', '-c', 'a\nb ü😀'], ['x'.repeat(4096)]]],
    ['timeouts', [{}, { stage: 1 }, { stage: 1, apply: 2, reboot: 3, ready: 86_400 }]],
    ['min_healthy_s', [0, 86_400]],
    ['window', [null, WINDOW, { ...WINDOW, start: '00:00', end: '23:59' }]],
    ['dry_run', [true, false]],
  ])('accepts valid values of %s', (field, values) => {
    expect(values.filter(value => validate({ [field]: value }).length > 0)).toEqual([]);
  });

  test('accepts an empty policy', () => {
    expect(validate({})).toEqual([]);
  });

  test.each<[string, readonly unknown[], string]>([
    [
      'max_unavailable',
      [0, -1, 1.5, 1_000_001, 1e20, '0%', '101%', '5', '2.5%', '05%', '5% ', true, null],
      'must be a whole number from 1 to 1000000, or a percentage from 1% to 100%',
    ],
    ['canary', [-1, 0.5, 1_000_001, 1e20, '1', '10%', null], 'must be a whole number from 0 to 1000000'],
    ['ramp', [1, 'yes', null], 'must be true or false'],
    [
      'max_failures',
      [-1, 0.5, 1_000_001, '101%', '00%', '5', null],
      'must be a whole number from 0 to 1000000, or a percentage from 0% to 100%',
    ],
    ['on_failure', ['stop', null], 'must be one of fail, pause'],
    ['hosts', ['127.0.0.1', [1], 5], 'must be a list of addresses, or null for all members'],
    ['labels', ['zone', null], 'must be a list'],
    ['order', ['name', [1], null], 'must be address or a list of addresses'],
    ['stage_parallel', [0, 1001, 1.5, '5%', null], 'must be a whole number from 1 to 1000'],
    [
      'drain',
      ['yes', null, { timeout_s: 0 }, { timeout_s: 86_401 }, { on_timeout: 'wait' }, { timeout: 5 }],
      'must be true, false, or an object with only the fields timeout_s (1 to 86400) and on_timeout (fail or force)',
    ],
    ['reboot', ['maybe', true, null], 'must be one of if_needed, always, never'],
    [
      'check',
      ['true', [], Array(65).fill('x'), ['a\0'], ['\ud800'], ['x'.repeat(4097)], [1]],
      'must be a command as a list of 1 to 64 strings of up to 4096 characters without NUL bytes, or null',
    ],
    ['min_healthy_s', [-1, 86_401, 0.5, null], 'must be a whole number of seconds from 0 to 86400'],
    [
      'window',
      [
        {},
        ...[{ days: [] }, { days: ['someday'] }, { days: 'sat' }, { start: '24:00' }, { start: '9:00' }],
        ...[{ end: '12:60' }, { end: '12:00:00' }, { zone: 1 }, { zone: 'x'.repeat(65) }, { until: '04:00' }],
      ].map((override, index) => (index === 0 ? {} : { ...WINDOW, ...override })),
      'must be null, or an object with exactly the fields days (a list of mon to sun), start and end (HH:MM), and zone',
    ],
    ['dry_run', ['true', null], 'must be true or false'],
    ['max_unavailabel', [1], 'is not a known field'],
    ['maxUnavailable', [1], 'is not a known field'],
  ])('rejects invalid values of %s with one message', (field, values, message) => {
    for (const value of values) {
      expect(validate({ [field]: value }), JSON.stringify(value)).toEqual([{ path: `/${field}`, message }]);
    }
  });

  test.each([
    [
      'a timeout of zero',
      { timeouts: { stage: 0 } },
      '/timeouts/stage must be a whole number of seconds from 1 to 86400',
    ],
    ['an unknown timeout', { timeouts: { stage_s: 5 } }, '/timeouts/stage_s is not a known field'],
    ['an invalid label filter', { labels: ['zone', '=a1'] }, '/labels/1 must be a label filter: key=value or key'],
  ])('rejects %s and reports its path', (_case, input, message) => {
    expect(validate(input).map(({ path, message }) => `${path} ${message}`)).toEqual([message]);
  });

  test('documents the default of every field', () => {
    const { timeouts, ...fields } = PolicyInput.properties;
    const schemas = Object.entries({ ...fields, ...timeouts.properties });
    const undocumented = schemas.filter(([, schema]) => !/default/i.test(JSON.stringify(schema)));
    expect(undocumented.map(([field]) => field)).toEqual([]);
  });

  const readDescription = (schema: object) => ('description' in schema ? String(schema.description) : '');
  const parseDefault = (description: string) => /Default `?([^`.]+)/.exec(description)?.[1];

  function defaultsFor(kind: OperationKind) {
    const policy = resolvePolicy(kind, { input: {}, defaults: {}, hasManager: true });
    if (policy instanceof AppError) throw new Error(JSON.stringify(policy));
    return viewPolicy(policy);
  }

  test.each(OPERATION_KINDS)('documents the effective defaults for %s', kind => {
    const { drain, timeouts, reboot, labels, ...otherFields } = defaultsFor(kind);
    const [, drainSchema] = Policy.properties.drain.anyOf;
    const nestedFields = { ...drainSchema.properties, ...Policy.properties.timeouts.properties };
    const defaults = Object.entries({ ...drain, ...timeouts, ...otherFields });
    const schemas: Readonly<Record<string, object>> = { ...Policy.properties, ...nestedFields };
    const documented = defaults.map(([field]) => [field, parseDefault(readDescription(schemas[field] ?? {}))]);
    expect(documented).toEqual(defaults.map(([field, value]) => [field, String(value)]));
    expect([documented.length, labels]).toEqual([21, []]);
    const kinds = kind === 'upgrade' ? 'Upgrade' : 'Restart and deploy';
    expect(readDescription(Policy.properties.reboot)).toContain(`${kinds}: \`${reboot}\` (default)`);
  });
});
