import { describe, expect, test } from 'vitest';
import { operationResponse } from '../../../test/harness/events/operation-responses.ts';
import { rolloutSummary } from './policy-summary.ts';

const { policy } = operationResponse({}).report;

describe('rolloutSummary', () => {
  test.each<[title: string, fields: Partial<typeof policy>, sentence: string]>([
    ['one canary host', { canary: 1 }, '1 canary host runs first; the rest start after it is verified.'],
    ['several canary hosts', { canary: 3 }, '3 canary hosts run first; the rest start after all of them are verified.'],
    ['a ramp', { ramp: true }, 'Ramps up: 1, 2, 4, … hosts at a time as hosts are verified.'],
    [
      'a time window',
      { window: { days: ['sat', 'sun'], start: '22:00', end: '04:00', zone: 'Europe/Berlin' } },
      'New hosts start only sat, sun 22:00–04:00 (Europe/Berlin).',
    ],
    [
      'excluded hosts',
      { unhealthy: 'exclude', max_excluded: '20%' },
      'Hosts that are already unavailable are excluded, at most 20%.',
    ],
    ['waiting for unavailable hosts', { wait: true }, 'The operation waits up to 10m for unavailable hosts.'],
    ['one allowed failure', { max_failures: 1 }, 'The operation fails if more than 1 host fails.'],
    [
      'a percentage of allowed failures',
      { max_failures: '10%' },
      'The operation fails if more than 10% of the hosts fail.',
    ],
    ['a pause on failure', { on_failure: 'pause' }, 'The operation pauses if a host fails.'],
  ])('describes %s', (_title, fields, sentence) => {
    expect(rolloutSummary(policy)).not.toContain(sentence);
    expect(rolloutSummary({ ...policy, ...fields })).toContain(sentence);
  });
});
