import { expect, test } from 'vitest';
import { findOverdue, findUnhealthyHosts } from './lost-work.ts';

test('findOverdue reports only entries past their retention period', () => {
  const nowMs = Date.parse('2026-05-01T12:10:00Z');
  const oldest = {
    ...{ log: '2026-05-01T11:59:59.999000', operations: '2026-05-01T12:00:00.000000' },
    none: null,
  };
  expect(findOverdue(oldest, 8 * 60_000, nowMs)).toEqual([
    'log still has rows of 2026-05-01T11:59:59.999000, retention 480 s',
  ]);
});

const SINCE_MS = Date.parse('2026-05-01T12:00:00Z');
const host = (address: string, status = 'active', last_check = '2026-05-01T12:00:00.000000') => ({
  ...{ address, status, last_check },
});

test.each<[string, ReturnType<typeof host>[], string[], readonly string[]]>([
  ['active and checked', [host('a'), host('b')], ['a', 'b'], []],
  ['gone', [host('a')], ['a', 'b'], ['b is gone']],
  ['unreachable', [host('a', 'unreachable')], ['a'], ['a is unreachable']],
  [
    'active but no longer checked',
    [host('a', 'active', '2026-05-01T11:59:59.999000')],
    ['a'],
    ['a was checked at 2026-05-01T11:59:59.999000 for the last time'],
  ],
  ['never checked', [host('a', 'active', '')], ['a'], ['a was checked at no time for the last time']],
  ['transient', [host('a'), host('guest', 'failed')], ['a'], []],
  [
    'one of many that failed',
    [],
    [...'abcdefg'],
    [...['a', 'b', 'c', 'd', 'e'].map(address => `${address} is gone`), 'and 2 more hosts'],
  ],
])('findUnhealthyHosts omits or reports a host that is %s', (_case, states, expectedHosts, errors) => {
  expect(findUnhealthyHosts(states, expectedHosts, SINCE_MS)).toEqual(errors);
});
