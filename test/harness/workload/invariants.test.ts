// Shows with invented histories that each invariant can fail.

import { describe, expect, test } from 'vitest';
import type { HostRebootHistory, RebootHistory } from '../host-fleets/reboot-history.ts';
import { EventReader } from './event-reader.ts';
import type { OperationHostResponse } from './invariants.ts';
import {
  AcknowledgedChanges,
  checkAllRestarted,
  checkBudget,
  checkEventSequence,
  checkNothingMissing,
  checkOperationRecord,
  checkRebootedOnce,
  checkReceivedEvents,
  checkSameResponses,
} from './invariants.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const MS_PER_S = 1000;

/** A host that accepted reboots at these seconds after noon and was down in these intervals. */
function host(
  address: string,
  acceptedAtS: readonly number[],
  downS: readonly (readonly [number, number | null])[],
): HostRebootHistory {
  return {
    address,
    acceptedReboots: acceptedAtS.map(s => ({ operation: 'op', attempt: 1, atMs: NOON + s * MS_PER_S })),
    reboots: downS.map(([from, to]) => ({
      downAtMs: NOON + from * MS_PER_S,
      upAtMs: to === null ? null : NOON + to * MS_PER_S,
    })),
  };
}

const RESTARTED_ONCE = host('a', [1], [[2, 4]]);

describe('reboot history invariants', () => {
  test.each<[string, RebootHistory, readonly string[]]>([
    ['no reboot', [host('a', [], [])], []],
    ['one reboot per host', [RESTARTED_ONCE, host('b', [1], [[2, 4]])], []],
    ['two accepted reboots in one attempt', [host('a', [1, 5], [[2, 4]])], ['a accepted 2 reboots in attempt 1 of op']],
    [
      'one reboot in each of two attempts',
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
          acceptedReboots: [1, 2].map(attempt => ({ operation: 'op', attempt, atMs: NOON })),
        },
      ],
      [],
    ],
    [
      'an additional reboot by itself',
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
      ['a rebooted 2 times, but accepted 1 reboots'],
    ],
    ['a reboot that was never accepted', [host('a', [], [[2, 4]])], ['a rebooted 1 times, but accepted 0 reboots']],
  ])('checkRebootedOnce returns the violations of %s', (_case, history, violations) => {
    expect(checkRebootedOnce(history)).toEqual(violations);
  });

  test.each<[string, RebootHistory, number, readonly string[]]>([
    ['reboots one after the other', [RESTARTED_ONCE, host('b', [4], [[5, 6]])], 1, []],
    ['two reboots at once with limit 2', [RESTARTED_ONCE, host('b', [2], [[3, 6]])], 2, []],
    [
      'two reboots at once with limit 1',
      [RESTARTED_ONCE, host('b', [2], [[3, 6]])],
      1,
      ['at 12:00:02.000 2 hosts were down, limit 1: a, b'],
    ],
    [
      'a reboot accepted while another host is down',
      [RESTARTED_ONCE, host('b', [3], [[5, 6]])],
      1,
      ['at 12:00:03.000 2 hosts were down, limit 1: a, b'],
    ],
    [
      'a host that stays down',
      [host('a', [1], [[2, null]]), host('b', [50], [[51, 52]])],
      1,
      ['at 12:00:50.000 2 hosts were down, limit 1: a, b'],
    ],
  ])('checkBudget returns the violations of %s', (_case, history, max, violations) => {
    expect(checkBudget(history, max)).toEqual(violations);
  });

  test.each<[string, HostRebootHistory, readonly string[]]>([
    ['one reboot', RESTARTED_ONCE, []],
    ['no restart', host('a', [], []), ['a went down 0 times and came up 0 times']],
    ['a host that is still down', host('a', [1], [[2, null]]), ['a went down 1 times and came up 0 times']],
    [
      'two reboots',
      host(
        'a',
        [1, 5],
        [
          [2, 4],
          [6, 7],
        ],
      ),
      ['a went down 2 times and came up 2 times'],
    ],
  ])('checkAllRestarted returns the violations of %s', (_case, history, violations) => {
    expect(checkAllRestarted([history])).toEqual(violations);
  });
});

const timestamp = (s: number) => `2026-11-15T12:00:${String(s).padStart(2, '0')}.000000`;

/** A host that held its slot between these seconds after noon. */
const recorded = (
  address: string,
  from: number,
  to: number | null,
  more: Partial<OperationHostResponse> = {},
): OperationHostResponse => ({
  address,
  phase: 'done',
  attempt: 1,
  phases: [
    { phase: 'preflight', at: timestamp(0) },
    { phase: 'armed', at: timestamp(from) },
  ],
  finished_at: to === null ? null : timestamp(to),
  ...more,
});

test.each<[string, RebootHistory, readonly OperationHostResponse[], readonly string[]]>([
  ['a matching record', [RESTARTED_ONCE], [recorded('a', 1, 5)], []],
  ['slots one after the other', [], [recorded('a', 1, 5), recorded('b', 5, 6)], []],
  [
    'two slots at once',
    [],
    [recorded('a', 1, 5), recorded('b', 4, 6)],
    ['at 12:00:04.000 2 hosts were in flight, limit 1: a, b'],
  ],
  [
    'a host that is down before its slot',
    [RESTARTED_ONCE],
    [recorded('a', 2, 5)],
    ['a was down from 12:00:01.000 to 12:00:04.000, but had its slot from 12:00:02.000 to 12:00:05.000'],
  ],
  [
    'a host that is down after it was recorded as done',
    [RESTARTED_ONCE],
    [recorded('a', 1, 3)],
    ['a was down from 12:00:01.000 to 12:00:04.000, but had its slot from 12:00:01.000 to 12:00:03.000'],
  ],
  [
    'a host that is down without a record',
    [RESTARTED_ONCE],
    [],
    ['a was down from 12:00:01.000 to 12:00:04.000, but had no slot'],
  ],
  [
    'a host that is not done',
    [],
    [recorded('a', 1, null, { phase: 'failed' })],
    ['the operation reports a as failed in attempt 1'],
  ],
  ['a second attempt', [], [recorded('a', 1, 5, { attempt: 2 })], ['the operation reports a as done in attempt 2']],
])('checkOperationRecord returns the violations of %s', (_case, history, record, violations) => {
  expect(checkOperationRecord(history, record, 1)).toEqual(violations);
});

test.each<[readonly number[], readonly string[]]>([
  [[], []],
  [[1, 2, 3], []],
  [[2, 3], ['received event 2, expected 1']],
  [[1, 3], ['received event 3, expected 2']],
  [[1, 2, 2, 3], ['received event 2, expected 3']],
  [
    [1, 3, 2],
    ['received event 3, expected 2', 'received event 2, expected 4'],
  ],
])('checkEventSequence reports gaps and duplicates in %j', (ids, violations) => {
  expect(checkEventSequence(ids)).toEqual(violations);
});

test('checkNothingMissing reports acknowledged records that are missing', () => {
  expect(checkNothingMissing(['a', 'b'], ['b', 'a', 'c'])).toEqual([]);
  expect(checkNothingMissing(['a', 'b'], ['b'])).toEqual(['a was acknowledged but is missing']);
});

test('checkSameResponses reports servers with different responses', () => {
  expect(checkSameResponses(['x', 'x', 'x'])).toEqual([]);
  expect(checkSameResponses(['x', 'x', 'y'])).toEqual(['servers disagree: x and y']);
});

test('findViolations reports acknowledged changes without an event or with two events', () => {
  const acknowledged = new AcknowledgedChanges();
  for (const name of ['one', 'two', 'three']) acknowledged.add('cluster.created', name);
  for (const type of ['host.created', 'host.removed', 'host.created']) acknowledged.add(type, '127.200.0.1');
  acknowledged.add('operation.ended', 'x');
  const events = [
    { type: 'cluster.created', subject: 'one' },
    { type: 'cluster.created', subject: 'three' },
    { type: 'cluster.created', subject: 'three' },
    { type: 'cluster.created', subject: 'of another client' },
    { type: 'host.created', subject: '127.200.0.1' },
    { type: 'host.removed', subject: '127.200.0.1' },
    { type: 'operation.ended', subject: 'x' },
  ];
  expect(acknowledged.findViolations(events)).toEqual([
    'cluster.created of two was acknowledged 1 times, and published 0 times',
    'cluster.created of three was acknowledged 1 times, and published 2 times',
    'host.created of 127.200.0.1 was acknowledged 2 times, and published 1 times',
  ]);
});

test.each<[string, readonly number[], readonly string[], readonly string[]]>([
  ['each event once', [8, 9, 10], [], []],
  ['a duplicate event', [8, 9, 9, 10], [], ['received event 2, expected 3']],
  ['a missing event', [8, 10], [], ['received event 3, expected 2']],
  ['a missing first event', [9, 10], [], ['received event 2, expected 1']],
  ['an invalid message', [8], ['a message without an ID'], ['a message without an ID']],
])('checkReceivedEvents returns the violations of %s', (_case, ids, errors, violations) => {
  const reader = new EventReader({ urls: () => [], authorization: '', idleTimeoutMs: 1, after: 7 });
  for (const id of ids)
    reader.events.push({ id, type: 'host.created', subject: `host ${id}`, receivedAtMs: NOON, event: {} });
  reader.errors.push(...errors);
  expect(checkReceivedEvents(reader, new AcknowledgedChanges())).toEqual(violations);
});

test('checkReceivedEvents reports an acknowledged change whose event was not received', () => {
  const reader = new EventReader({ urls: () => [], authorization: '', idleTimeoutMs: 1 });
  const acknowledged = new AcknowledgedChanges();
  acknowledged.add('cluster.created', 'one');
  expect(checkReceivedEvents(reader, acknowledged)).toEqual([
    'cluster.created of one was acknowledged 1 times, and published 0 times',
  ]);
});
