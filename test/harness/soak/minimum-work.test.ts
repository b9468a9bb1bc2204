import { expect, test } from 'vitest';
import { checkMinimumWork } from './coverage.ts';

const SIZE = { minutes: 10, servers: 3, rings: 3, guests: 12 };
const DONE = {
  ...{ operations: 6, guests: 60, records: 20, readers: 60, requests: 1800, events: 600 },
  ...{ webhook_messages: 70, turned_away: 18, unavailable: 18 },
};

test.each<[string, Partial<typeof DONE>, number[], readonly string[]]>([
  ['a run that does the least', {}, [100, 60_000, 10_000], []],
  ['one without operations', { operations: 0 }, [], ['operations: only 0, and at least 6 are wanted']],
  [
    'one that nobody calls',
    { requests: 0, turned_away: 0, unavailable: 0 },
    [],
    ['requests: only 0, and at least 1800 are wanted'],
  ],
  [
    'one that turns callers away',
    { turned_away: 19 },
    [],
    ['turned_away: 19, and with 1800 requests 18 may be'],
  ],
  [
    'one whose store is often away',
    { unavailable: 900 },
    [],
    ['unavailable: 900, and with 1800 requests 18 may be'],
  ],
  ['one that tells late', {}, [100, 10_001, 60_000], ['events were 10001 ms late']],
])('checkMinimumWork of %s', (_case, changes, delaysMs, errors) => {
  expect(checkMinimumWork(SIZE, { ...DONE, ...changes }, delaysMs)).toEqual(errors);
});
