import { describe, expect, test } from 'vitest';
import { readOf } from '../../../../test/harness/followed.ts';
import { paceSentences, policyRows } from './policy-sentences.ts';

const { policy } = readOf({}).report;

describe('a policy in words', () => {
  test.each<[what: string, fields: Partial<typeof policy>, sentence: string]>([
    ['one goes first', { canary: 1 }, '1 host goes first; the rest wait until it is proved.'],
    ['some go first', { canary: 3 }, '3 hosts go first; the rest wait until all of them are proved.'],
    ['a ramp', { ramp: true }, '1, 2, 4, … at once, growing as hosts are proved.'],
    [
      'a window',
      { window: { days: ['sat', 'sun'], start: '22:00', end: '04:00', zone: 'Europe/Berlin' } },
      'New hosts are started sat, sun 22:00–04:00 (Europe/Berlin).',
    ],
    [
      'a pause',
      { on_failure: 'pause' },
      'With one failure more than allowed it pauses until somebody decides.',
    ],
  ])('%s', (_what, fields, sentence) => {
    expect(paceSentences(policy)).not.toContain(sentence);
    expect(paceSentences({ ...policy, ...fields })).toContain(sentence);
  });

  test('each field that an operation keeps has a row', () => {
    const { dry_run: _dryRun, ...kept } = policy;
    expect(policyRows(policy).map(([name]) => name)).toEqual(
      expect.arrayContaining(Object.keys(kept)) as string[],
    );
  });

  test('what is drained, and how long it may take', () => {
    const rows = Object.fromEntries(
      policyRows({ ...policy, drain: { timeout_s: 300, on_timeout: 'force' } }),
    );
    expect(rows).toMatchObject({
      drain: 'up to 5m 0s, then force',
      window: 'at any time',
      hosts: 'all members',
    });
    expect(rows['timeouts']).toBe('stage 30m 0s, apply 30m 0s, reboot 15m 0s, ready 10m 0s');
  });
});
