import { describe, expect, test } from 'vitest';
import { applyEvents, createProgress } from '#sdk/operation-progress.ts';
import { OPERATION_HOST_STATES } from '#vocabulary';
import { hostEvent, operationResponse } from '../../../../../test/harness/events/operation-responses.ts';
import { countByGroup, DISPLAY_GROUPS, displayGroupOf, hostLabel } from './phase-groups.ts';

const { hosts } = applyEvents(
  createProgress(operationResponse({ a: [['staging', 1]], b: [['rebooting', 1]], c: [], d: [], e: [] })),
  [hostEvent(2, 'a', 'done', 3), hostEvent(3, 'b', 'unreachable', 3), hostEvent(4, 'c', 'failed', 3)],
);

describe('phase groups', () => {
  test('every state has a group, and every group is used', () => {
    expect(new Set(OPERATION_HOST_STATES.map(displayGroupOf))).toEqual(new Set(DISPLAY_GROUPS));
  });

  test('countByGroup counts hosts by group', () => {
    expect(countByGroup(hosts.list)).toMatchObject({
      pending: 2,
      done: 1,
      unreachable: 1,
      failed: 1,
      draining: 0,
    });
  });

  test('hostLabel contains address, state and attempt', () => {
    expect(hosts.list.map(hostLabel)).toEqual([
      'a, done (no changes), attempt 1',
      'b, unreachable, attempt 1',
      'c, failed, attempt 1',
      'd, pending, attempt 1',
      'e, pending, attempt 1',
    ]);
  });
});
