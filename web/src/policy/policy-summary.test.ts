import { describe, expect, test } from 'vitest';
import { readOf } from '../../../test/harness/events/followed.ts';
import { rolloutSummary } from './policy-summary.ts';

const { policy } = readOf({}).report;

describe('how an operation goes on', () => {
  test.each<[title: string, fields: Partial<typeof policy>, sentence: string]>([
    ['one goes first', { canary: 1 }, '1 canary host runs first; the rest start after it is verified.'],
    [
      'some go first',
      { canary: 3 },
      '3 canary hosts run first; the rest start after all of them are verified.',
    ],
    ['a ramp', { ramp: true }, 'Ramps up: 1, 2, 4, … hosts at a time as hosts are verified.'],
    [
      'a window',
      { window: { days: ['sat', 'sun'], start: '22:00', end: '04:00', zone: 'Europe/Berlin' } },
      'New hosts start only sat, sun 22:00–04:00 (Europe/Berlin).',
    ],
    [
      'excluded hosts',
      { unhealthy: 'exclude', max_excluded: '20%' },
      'Hosts that are already unavailable are excluded, at most 20%.',
    ],
    ['a wait', { wait: true }, 'The operation waits up to 10m for unavailable hosts.'],
    ['one failure', { max_failures: 1 }, 'The operation fails if more than 1 host fails.'],
    ['some failures', { max_failures: '10%' }, 'The operation fails if more than 10% of the hosts fail.'],
    ['a pause', { on_failure: 'pause' }, 'The operation pauses if a host fails.'],
  ])('%s', (_title, fields, sentence) => {
    expect(rolloutSummary(policy)).not.toContain(sentence);
    expect(rolloutSummary({ ...policy, ...fields })).toContain(sentence);
  });
});
