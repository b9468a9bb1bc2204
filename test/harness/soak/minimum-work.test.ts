import { expect, test } from 'vitest';
import { checkMinimumWork } from './minimum-work.ts';

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
