import { describe, expect, test } from 'vitest';
import type { HostProgress } from '#sdk/host-progress.ts';
import { toHostProgress } from '#sdk/host-progress.ts';
import { applyEvents, createProgress } from '#sdk/operation-progress.ts';
import { OPERATION_HOST_STATES } from '#vocabulary';
import { hostEvent, operationResponse } from '../../../../../test/harness/events/operation-responses.ts';
import {
  clearWait,
  clearWaits,
  countByGroup,
  DISPLAY_GROUPS,
  displayGroupOf,
  formatHostState,
  hostLabel,
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

  test('clearWaits shows hosts that an ended operation has not started as pending', () => {
    const latest = applyEvents(createProgress(operationResponse({ a: [['staging', 1]], b: [['staging', 1]], c: [] })), [
      hostEvent(2, 'a', 'queued', 3),
      hostEvent(3, 'b', 'done', 3),
    ]);
    expect(clearWaits(latest.hosts, false)).toBe(latest.hosts);
    const finished = clearWaits(latest.hosts, true);
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

  // The response for one host can arrive before those for all hosts.
  test.each([
    [true, 'not started', []],
    [false, 'queued', ['staging']],
  ])('clearWait shows a queued host of an operation that has ended (%s) as %s', (hasEnded, text, phases) => {
    const [staged] = operationResponse({ a: [['staging', 1]] }).report.hosts.map(toHostProgress);
    const shown = clearWait({ ...(staged as HostProgress), state: 'queued' }, hasEnded);
    expect(formatHostState(shown, hasEnded)).toBe(text);
    expect(shown.phases.map(({ phase }) => phase)).toEqual(phases);
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
