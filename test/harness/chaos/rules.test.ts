// A rule that cannot be broken would be worth nothing: diaries and records that are made up, and what is said of them.

import { describe, expect, test } from 'vitest';
import type { Diary, HostDiary } from './diary.ts';
import type { RecordedHost } from './rules.ts';
import {
  budgetKept,
  eachEventOnce,
  eachRestarted,
  fitsRecord,
  nothingMissing,
  rebootedOnce,
  sameEverywhere,
} from './rules.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const S = 1000;

/** A host that was told to reboot at these seconds after noon, and was down from and to these. */
function host(
  address: string,
  told: readonly number[],
  down: readonly (readonly [number, number | null])[],
): HostDiary {
  return {
    address,
    takenOn: told.map(s => ({ operation: 'op', attempt: 1, atMs: NOON + s * S })),
    reboots: down.map(([from, to]) => ({
      downAtMs: NOON + from * S,
      upAtMs: to === null ? null : NOON + to * S,
    })),
  };
}

const ONCE = host('a', [1], [[2, 4]]);

describe('the hosts’ diary', () => {
  test.each<[string, Diary, readonly string[]]>([
    ['nobody rebooted', [host('a', [], [])], []],
    ['once each', [ONCE, host('b', [1], [[2, 4]])], []],
    ['told twice in one attempt', [host('a', [1, 5], [[2, 4]])], ['a took on 2 reboots in attempt 1 of op']],
    [
      'once more in another attempt',
      [
        {
          ...host(
            'a',
            [1],
            [
              [2, 4],
              [6, 7],
            ],
          ),
          takenOn: [1, 2].map(attempt => ({ operation: 'op', attempt, atMs: NOON })),
        },
      ],
      [],
    ],
    [
      'once more by itself',
      [
        host(
          'a',
          [1],
          [
            [2, 4],
            [6, 7],
          ],
        ),
      ],
      ['a was down 2 times, and was told to 1 times'],
    ],
    ['without a word', [host('a', [], [[2, 4]])], ['a was down 1 times, and was told to 0 times']],
  ])('says whether a host was rebooted twice: %s', (_what, diary, problems) => {
    expect(rebootedOnce(diary)).toEqual(problems);
  });

  test.each<[string, Diary, number, readonly string[]]>([
    ['one after the other', [ONCE, host('b', [4], [[5, 6]])], 1, []],
    ['two at once, and two may', [ONCE, host('b', [2], [[3, 6]])], 2, []],
    [
      'two at once, and one may',
      [ONCE, host('b', [2], [[3, 6]])],
      1,
      ['at 12:00:02.000 2 hosts were down, and 1 may be: a, b'],
    ],
    [
      'one is told while another is still down',
      [ONCE, host('b', [3], [[5, 6]])],
      1,
      ['at 12:00:03.000 2 hosts were down, and 1 may be: a, b'],
    ],
    [
      'one never comes back',
      [host('a', [1], [[2, null]]), host('b', [50], [[51, 52]])],
      1,
      ['at 12:00:50.000 2 hosts were down, and 1 may be: a, b'],
    ],
  ])('says whether too many were down: %s', (_what, diary, most, problems) => {
    expect(budgetKept(diary, most)).toEqual(problems);
  });

  test.each<[string, HostDiary, readonly string[]]>([
    ['once', ONCE, []],
    ['never', host('a', [], []), ['a was down 0 times, and up again 0 times']],
    ['and is not back', host('a', [1], [[2, null]]), ['a was down 1 times, and up again 0 times']],
    [
      'twice',
      host(
        'a',
        [1, 5],
        [
          [2, 4],
          [6, 7],
        ],
      ),
      ['a was down 2 times, and up again 2 times'],
    ],
  ])('says whether a host was restarted: %s', (_what, diary, problems) => {
    expect(eachRestarted([diary])).toEqual(problems);
  });
});

const clock = (s: number) => `2026-11-15T12:00:${String(s).padStart(2, '0')}.000000`;

/** A host that waited from noon on, and had its slot from and to these seconds after. */
const recorded = (
  address: string,
  from: number,
  to: number | null,
  more: Partial<RecordedHost> = {},
): RecordedHost => ({
  address,
  phase: 'done',
  attempt: 1,
  phases: [
    { phase: 'preflight', at: clock(0) },
    { phase: 'armed', at: clock(from) },
  ],
  finished_at: to === null ? null : clock(to),
  ...more,
});

test.each<[string, Diary, readonly RecordedHost[], readonly string[]]>([
  ['it fits', [ONCE], [recorded('a', 1, 5)], []],
  ['one after the other', [], [recorded('a', 1, 5), recorded('b', 5, 6)], []],
  [
    'two slots at once',
    [],
    [recorded('a', 1, 5), recorded('b', 4, 6)],
    ['at 12:00:04.000 2 hosts were in flight, and 1 may be: a, b'],
  ],
  [
    'down before its slot',
    [ONCE],
    [recorded('a', 2, 5)],
    ['a was down from 12:00:01.000 to 12:00:04.000, and had its slot from 12:00:02.000 to 12:00:05.000'],
  ],
  [
    'down after it was said to be done',
    [ONCE],
    [recorded('a', 1, 3)],
    ['a was down from 12:00:01.000 to 12:00:04.000, and had its slot from 12:00:01.000 to 12:00:03.000'],
  ],
  [
    'down and not in the record',
    [ONCE],
    [],
    ['a was down from 12:00:01.000 to 12:00:04.000, and had no slot'],
  ],
  [
    'not done',
    [],
    [recorded('a', 1, null, { phase: 'failed' })],
    ['the record has a as failed in attempt 1'],
  ],
  ['tried again', [], [recorded('a', 1, 5, { attempt: 2 })], ['the record has a as done in attempt 2']],
])('the record is held against the diary: %s', (_what, diary, record, problems) => {
  expect(fitsRecord(diary, record, 1)).toEqual(problems);
});

test.each<[readonly number[], readonly string[]]>([
  [[], []],
  [[1, 2, 3], []],
  [[2, 3], ['event 2 came where 1 was expected']],
  [[1, 3], ['event 3 came where 2 was expected']],
  [[1, 2, 2, 3], ['event 2 came where 3 was expected']],
  [
    [1, 3, 2],
    ['event 3 came where 2 was expected', 'event 2 came where 4 was expected'],
  ],
])('events %j', (ids, problems) => {
  expect(eachEventOnce(ids)).toEqual(problems);
});

test('what was acknowledged is looked for', () => {
  expect(nothingMissing(['a', 'b'], ['b', 'a', 'c'])).toEqual([]);
  expect(nothingMissing(['a', 'b'], ['b'])).toEqual(['a was acknowledged, and is not there']);
});

test('servers that do not tell the same are found', () => {
  expect(sameEverywhere(['x', 'x', 'x'])).toEqual([]);
  expect(sameEverywhere(['x', 'x', 'y'])).toEqual(['one server tells x, another y']);
});
