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

describe('fairQuota', () => {
  test.each<[string, HostQueueLoad, Partial<ServerCapacity>, ClaimQuota]>([
    ['nothing if no host is due', NONE, {}, { count: 0, recheckInMs: 0 }],
    ['all hosts if it is the only server', due(12), { servers: 1 }, { count: 12, recheckInMs: 0 }],
    ['its share, and rechecks after the grace period', due(12), {}, { count: 4, recheckInMs: 200 }],
    ['its share after another server claimed its own', due(8, { claimed: 4 }), {}, { count: 4, recheckInMs: 200 }],
    ['the complete last share', due(4, { claimed: 8 }), {}, { count: 4, recheckInMs: 0 }],
    ['a share that is rounded up', due(1), {}, { count: 1, recheckInMs: 0 }],
    ['nothing if it has more than its share', due(1, { claimed: 5, ownClaims: 4 }), {}, { count: 0, recheckInMs: 200 }],
    [
      'one more if all servers have the same number',
      due(1, { claimed: 12, ownClaims: 4 }),
      {},
      { count: 1, recheckInMs: 0 },
    ],
    [
      'the missing hosts if it has less than its share',
      due(3, { claimed: 9, ownClaims: 1 }),
      {},
      { count: 3, recheckInMs: 0 },
    ],
    ['no more than its capacity', due(12), { capacity: 2 }, { count: 2, recheckInMs: 0 }],
    ['nothing without capacity', due(12), { capacity: 0 }, { count: 0, recheckInMs: 0 }],
    [
      'overdue hosts, regardless of its share',
      due(8, { overdue: 8, dueSinceMs: NOW - 400, claimed: 4, ownClaims: 4 }),
      {},
      { count: 8, recheckInMs: 0 },
    ],
    [
      'overdue hosts up to its capacity',
      due(8, { overdue: 8, dueSinceMs: NOW - 400, claimed: 4, ownClaims: 4 }),
      { capacity: 3 },
      { count: 3, recheckInMs: 0 },
    ],
    [
      'overdue hosts only, and leaves the others',
      due(8, { overdue: 5, dueSinceMs: NOW - 400, claimed: 4, ownClaims: 4 }),
      {},
      { count: 5, recheckInMs: 0 },
    ],
  ])('claims %s', (_what, load, server, quota) => {
    expect(fairQuota(load, { servers: 3, capacity: 50, nowMs: NOW, ...server })).toEqual(quota);
  });

  test.each([1, 2, 3, 7])('gives each of %i servers an equal share when they claim one after the other', servers => {
    const counts: number[] = [];
    for (let left = 60, mine = 0; counts.length < servers; left -= mine) {
      mine = fairQuota(due(left, { claimed: 60 - left }), { servers, capacity: 100, nowMs: NOW }).count;
      counts.push(mine);
    }
    expect(counts.reduce((sum, count) => sum + count)).toBe(60);
    expect(Math.max(...counts)).toBe(Math.ceil(60 / servers));
  });
});
