import { describe, expect, test } from 'vitest';
import type { Load, Share, Taker } from './fair-share.ts';
import { fairShare } from './fair-share.ts';

const NOW = 1_000_000;
const NONE: Load = { due: 0, dueSinceMs: null, overdue: 0, taken: 0, mine: 0 };
const due = (count: number, more: Partial<Load> = {}): Load => ({
  ...NONE,
  due: count,
  dueSinceMs: NOW - 100,
  ...more,
});

describe('of what is due a server takes', () => {
  test.each<[string, Load, Partial<Taker>, Share]>([
    ['nothing when there is nothing', NONE, {}, { take: 0, lookInMs: 0 }],
    ['all when it is alone', due(12), { servers: 1 }, { take: 12, lookInMs: 0 }],
    ['its part, and looks for the rest when the grace is over', due(12), {}, { take: 4, lookInMs: 200 }],
    ['its part when another has taken one', due(8, { taken: 4 }), {}, { take: 4, lookInMs: 200 }],
    ['the last part whole', due(4, { taken: 8 }), {}, { take: 4, lookInMs: 0 }],
    ['a part that is rounded up', due(1), {}, { take: 1, lookInMs: 0 }],
    ['nothing when it has more than others', due(1, { taken: 5, mine: 4 }), {}, { take: 0, lookInMs: 200 }],
    ['one more when all have as many', due(1, { taken: 12, mine: 4 }), {}, { take: 1, lookInMs: 0 }],
    [
      'what it lacks, when it has less than others',
      due(3, { taken: 9, mine: 1 }),
      {},
      { take: 3, lookInMs: 0 },
    ],
    ['no more than it has room for', due(12), { room: 2 }, { take: 2, lookInMs: 0 }],
    ['nothing without room', due(12), { room: 0 }, { take: 0, lookInMs: 0 }],
    [
      'what nobody else has taken within the grace, whatever it has already',
      due(8, { overdue: 8, dueSinceMs: NOW - 400, taken: 4, mine: 4 }),
      {},
      { take: 8, lookInMs: 0 },
    ],
    [
      'of what is overdue as much as it has room for',
      due(8, { overdue: 8, dueSinceMs: NOW - 400, taken: 4, mine: 4 }),
      { room: 3 },
      { take: 3, lookInMs: 0 },
    ],
    [
      'what is overdue, and leaves what is not to others',
      due(8, { overdue: 5, dueSinceMs: NOW - 400, taken: 4, mine: 4 }),
      {},
      { take: 5, lookInMs: 0 },
    ],
  ])('%s', (_what, load, taker, share) => {
    expect(fairShare(load, { servers: 3, room: 50, nowMs: NOW, ...taker })).toEqual(share);
  });

  test.each([1, 2, 3, 7])('as much as others, when %i look one after the other', servers => {
    const parts: number[] = [];
    for (let left = 60, mine = 0; parts.length < servers; left -= mine) {
      mine = fairShare(due(left, { taken: 60 - left }), { servers, room: 100, nowMs: NOW }).take;
      parts.push(mine);
    }
    expect(parts.reduce((sum, part) => sum + part)).toBe(60);
    expect(Math.max(...parts)).toBe(Math.ceil(60 / servers));
  });
});
