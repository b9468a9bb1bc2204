import { describe, expect, test } from 'vitest';
import { firstProgress, withEvents } from '#client/operation-progress.ts';
import { HOST_STATES } from '#vocabulary';
import { hostEvent, readOf } from '../../../../../test/harness/events/followed.ts';
import { countPaints, labelOf, PAINTS, paintOf } from './host-paint.ts';

const { hosts } = withEvents(
  firstProgress(readOf({ a: [['staging', 1]], b: [['rebooting', 1]], c: [], d: [], e: [] })),
  [hostEvent(2, 'a', 'done', 3), hostEvent(3, 'b', 'unreachable', 3), hostEvent(4, 'c', 'failed', 3)],
);

describe('the paint of a host', () => {
  test('every state has one, and every paint is used', () => {
    expect(new Set(HOST_STATES.map(paintOf))).toEqual(new Set(PAINTS));
  });

  test('hosts are counted by it', () => {
    expect(countPaints(hosts.list)).toMatchObject({
      waiting: 2,
      done: 1,
      unreachable: 1,
      failed: 1,
      draining: 0,
    });
  });

  test('a host is called by its address, state and attempt', () => {
    expect(hosts.list.map(labelOf)).toEqual([
      'a, done (no changes), attempt 1',
      'b, unreachable, attempt 1',
      'c, failed, attempt 1',
      'd, pending, attempt 1',
      'e, pending, attempt 1',
    ]);
  });
});
