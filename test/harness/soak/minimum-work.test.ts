import { expect, test } from 'vitest';
import { checkMinimumWork } from './minimum-work.ts';

const SIZE = { minutes: 10, servers: 3, busyClusters: 3, transientHosts: 12 };
const DONE = {
  ...{ operations: 6, transient_hosts: 60, records: 20, readers: 60, requests: 1800, events: 600 },
  ...{ webhook_messages: 70, unavailable_responses: 18, store_timeouts: 18 },
};

test.each<[string, Partial<typeof DONE>, number[], readonly string[]]>([
  ['a run with the minimum work', {}, [100, 60_000, 10_000], []],
  ['a run without operations', { operations: 0 }, [], ['operations: 0, minimum 6']],
  [
    'a run without API requests',
    { requests: 0, unavailable_responses: 0, store_timeouts: 0 },
    [],
    ['requests: 0, minimum 1800'],
  ],
  [
    'a run with many 503 responses',
    { unavailable_responses: 19 },
    [],
    ['unavailable_responses: 19, limit 18 for 1800 requests'],
  ],
  ['a run with many store timeouts', { store_timeouts: 900 }, [], ['store_timeouts: 900, limit 18 for 1800 requests']],
  ['a run with late events', {}, [100, 10_001, 60_000], ['events were 10001 ms late']],
])('checkMinimumWork returns the errors of %s', (_case, changes, delaysMs, errors) => {
  expect(checkMinimumWork(SIZE, { ...DONE, ...changes }, delaysMs)).toEqual(errors);
});
