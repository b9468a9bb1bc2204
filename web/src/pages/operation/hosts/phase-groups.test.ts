import { describe, expect, test } from 'vitest';
import { applyEvents, createProgress } from '#sdk/operation-progress.ts';
import { HOST_STATES } from '#vocabulary';
import { hostEvent, readOf } from '../../../../../test/harness/events/followed.ts';
import { countByGroup, hostLabel, PHASE_GROUPS, phaseGroupOf } from './phase-groups.ts';

const { hosts } = applyEvents(
  createProgress(readOf({ a: [['staging', 1]], b: [['rebooting', 1]], c: [], d: [], e: [] })),
  [hostEvent(2, 'a', 'done', 3), hostEvent(3, 'b', 'unreachable', 3), hostEvent(4, 'c', 'failed', 3)],
);

describe('the paint of a host', () => {
  test('every state has one, and every paint is used', () => {
    expect(new Set(HOST_STATES.map(phaseGroupOf))).toEqual(new Set(PHASE_GROUPS));
  });

  test('hosts are counted by it', () => {
    expect(countByGroup(hosts.list)).toMatchObject({
      waiting: 2,
      done: 1,
      unreachable: 1,
      failed: 1,
      draining: 0,
    });
  });

  test('a host is called by its address, state and attempt', () => {
    expect(hosts.list.map(hostLabel)).toEqual([
      'a, done (no changes), attempt 1',
      'b, unreachable, attempt 1',
      'c, failed, attempt 1',
      'd, pending, attempt 1',
      'e, pending, attempt 1',
    ]);
  });
});
