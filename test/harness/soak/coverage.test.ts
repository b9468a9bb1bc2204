import { expect, test } from 'vitest';
import { checkMinimumWork, measureCheckCoverage } from './coverage.ts';

const MINUTE_MS = 60_000;
const OPTIONS = { addresses: ['a', 'b'], intervalMs: MINUTE_MS, fromMs: 0, toMs: 10 * MINUTE_MS };
/** Two commands each minute. */
const checked = (address: string, from = 0, to = 10) =>
  Array.from({ length: to - from }, (_, index) =>
    [30_000, 30_500].map(ms => ({ address, source: 's', atMs: (from + index) * MINUTE_MS + ms })),
  ).flat();

test.each<[string, ReturnType<typeof checked>, number, readonly string[]]>([
  ['that were checked each minute', [...checked('a'), ...checked('b')], 20, []],
  [
    'that were never checked',
    [],
    0,
    [
      'hosts were checked 0 times, and at least 18 were due',
      '2 hosts were not checked for two intervals',
      'a was not checked for 600 s',
      'b was not checked for 600 s',
    ],
  ],
  [
    'with a gap in the checks of one host',
    [...checked('a'), ...checked('b', 0, 4), ...checked('b', 6)],
    18,
    ['1 hosts were not checked for two intervals', 'b was not checked for 180 s'],
  ],
  [
    'with missing checks of one host at the end',
    [...checked('a'), ...checked('b', 0, 8)],
    18,
    ['1 hosts were not checked for two intervals', 'b was not checked for 150 s'],
  ],
  [
    'that are checked every second interval',
    [...checked('a'), ...checked('b')].filter((_, index) => index % 4 < 2),
    10,
    ['hosts were checked 10 times, and at least 18 were due'],
  ],
])('measureCheckCoverage counts the checks of hosts %s', (_case, commands, count, errors) => {
  const ordered = commands.toSorted((a, b) => a.atMs - b.atMs);
  expect(measureCheckCoverage(ordered, OPTIONS)).toMatchObject({ checks: count, errors });
});

const SIZE = { minutes: 10, servers: 3, rings: 3, guests: 12 };
const DONE = {
  ...{ operations: 6, guests: 60, records: 20, readers: 60, requests: 1800, events: 600 },
  ...{ webhook_messages: 70, turned_away: 18, unavailable: 18 },
};

test.each<[string, Partial<typeof DONE>, number[], readonly string[]]>([
  ['a run with the minimum work', {}, [100, 60_000, 10_000], []],
  ['a run without operations', { operations: 0 }, [], ['operations: 0, minimum 6']],
  ['a run without API requests', { requests: 0, turned_away: 0, unavailable: 0 }, [], ['requests: 0, minimum 1800']],
  ['a run with many 503 responses', { turned_away: 19 }, [], ['turned_away: 19, limit 18 for 1800 requests']],
  ['a run with many store timeouts', { unavailable: 900 }, [], ['unavailable: 900, limit 18 for 1800 requests']],
  ['a run with late events', {}, [100, 10_001, 60_000], ['events were 10001 ms late']],
])('checkMinimumWork accepts or reports %s', (_case, changes, delaysMs, errors) => {
  expect(checkMinimumWork(SIZE, { ...DONE, ...changes }, delaysMs)).toEqual(errors);
});
