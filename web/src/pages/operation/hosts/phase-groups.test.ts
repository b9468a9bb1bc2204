import { describe, expect, test } from 'vitest';
import { applyEvents, createProgress } from '#sdk/operation-progress.ts';
import { OPERATION_HOST_STATES } from '#vocabulary';
import { hostEvent, operationResponse } from '../../../../../test/harness/events/operation-responses.ts';
import {
  countByGroup,
  DISPLAY_GROUPS,
  displayGroupOf,
  formatHostState,
  hostLabel,
  withoutWaiting,
} from './phase-groups.ts';

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

  test('withoutWaiting shows hosts that an ended operation has not started', () => {
    const latest = applyEvents(createProgress(operationResponse({ a: [['staging', 1]], b: [['staging', 1]], c: [] })), [
      hostEvent(2, 'a', 'queued', 3),
      hostEvent(3, 'b', 'done', 3),
    ]);
    const finished = withoutWaiting(latest.hosts);
    expect(finished.list.map(({ state, phases }) => [state, phases.length])).toEqual([
      ['pending', 0],
      ['done', 2],
      ['pending', 0],
    ]);
    expect(finished.list.map(host => formatHostState(host, true))).toEqual([
      ...['not started', 'done (no changes)', 'not started'],
    ]);
    expect(finished.get('b')).toBe(latest.hosts.get('b'));
  });

  test('hostLabel contains address, state and attempt', () => {
    expect(hosts.list.map(host => hostLabel(host))).toEqual([
      'a, done (no changes), attempt 1',
      'b, unreachable, attempt 1',
      'c, failed, attempt 1',
      'd, pending, attempt 1',
      'e, pending, attempt 1',
    ]);
  });
});
