import { expect, test } from 'vitest';
import { measureCheckCoverage } from './coverage.ts';

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
