import { describe, expect, test } from 'vitest';
import type { ClaimQuota, HostQueueLoad, ServerCapacity } from './host-queue.ts';
import { fairQuota } from './host-queue.ts';

const NOW = 1_000_000;
const NONE: HostQueueLoad = { due: 0, dueSinceMs: null, overdue: 0, claimed: 0, ownClaims: 0 };
const due = (count: number, more: Partial<HostQueueLoad> = {}): HostQueueLoad => ({
  ...NONE,
  due: count,
  dueSinceMs: NOW - 100,
  ...more,
});

describe('of what is due a server takes', () => {
  test.each<[string, HostQueueLoad, Partial<ServerCapacity>, ClaimQuota]>([
    ['nothing when there is nothing', NONE, {}, { count: 0, recheckInMs: 0 }],
    ['all when it is alone', due(12), { servers: 1 }, { count: 12, recheckInMs: 0 }],
    ['its part, and looks for the rest when the grace is over', due(12), {}, { count: 4, recheckInMs: 200 }],
    ['its part when another has taken one', due(8, { claimed: 4 }), {}, { count: 4, recheckInMs: 200 }],
    ['the last part whole', due(4, { claimed: 8 }), {}, { count: 4, recheckInMs: 0 }],
    ['a part that is rounded up', due(1), {}, { count: 1, recheckInMs: 0 }],
    [
      'nothing when it has more than others',
      due(1, { claimed: 5, ownClaims: 4 }),
      {},
      { count: 0, recheckInMs: 200 },
    ],
    [
      'one more when all have as many',
      due(1, { claimed: 12, ownClaims: 4 }),
      {},
      { count: 1, recheckInMs: 0 },
    ],
    [
      'what it lacks, when it has less than others',
      due(3, { claimed: 9, ownClaims: 1 }),
      {},
      { count: 3, recheckInMs: 0 },
    ],
    ['no more than it has room for', due(12), { capacity: 2 }, { count: 2, recheckInMs: 0 }],
    ['nothing without room', due(12), { capacity: 0 }, { count: 0, recheckInMs: 0 }],
    [
      'what nobody else has taken within the grace, whatever it has already',
      due(8, { overdue: 8, dueSinceMs: NOW - 400, claimed: 4, ownClaims: 4 }),
      {},
      { count: 8, recheckInMs: 0 },
    ],
    [
      'of what is overdue as much as it has room for',
      due(8, { overdue: 8, dueSinceMs: NOW - 400, claimed: 4, ownClaims: 4 }),
      { capacity: 3 },
      { count: 3, recheckInMs: 0 },
    ],
    [
      'what is overdue, and leaves what is not to others',
      due(8, { overdue: 5, dueSinceMs: NOW - 400, claimed: 4, ownClaims: 4 }),
      {},
      { count: 5, recheckInMs: 0 },
    ],
  ])('%s', (_what, load, server, quota) => {
    expect(fairQuota(load, { servers: 3, capacity: 50, nowMs: NOW, ...server })).toEqual(quota);
  });

  test.each([1, 2, 3, 7])('as much as others, when %i look one after the other', servers => {
    const counts: number[] = [];
    for (let left = 60, mine = 0; counts.length < servers; left -= mine) {
      mine = fairQuota(due(left, { claimed: 60 - left }), { servers, capacity: 100, nowMs: NOW }).count;
      counts.push(mine);
    }
    expect(counts.reduce((sum, count) => sum + count)).toBe(60);
    expect(Math.max(...counts)).toBe(Math.ceil(60 / servers));
  });
});
