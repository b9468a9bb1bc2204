import { describe, expect, test, vi } from 'vitest';
import { afterNoonMs, hostEvent, operationResponse } from '../../test/harness/events/operation-responses.ts';
import type { StreamEvent } from './event-stream.ts';
import type { HostProgress } from './host-progress.ts';
import { getPhaseGroup, OrderedHosts } from './host-progress.ts';
import type { OperationProgress } from './operation-progress.ts';
import {
  applyEvents,
  applyFullReport,
  applyOperation,
  countByPhaseGroup,
  countHosts,
  createProgress,
  setDisconnectedSince,
  waitingCounts,
} from './operation-progress.ts';

const second = afterNoonMs;
const applyEvent = (progress: OperationProgress, event: StreamEvent) => applyEvents(progress, [event]);
const getState = ({ hosts }: OperationProgress, address: string) => hosts.get(address)?.state;

describe('operation progress', () => {
  const response = operationResponse(
    {
      '127.0.0.1': [
        ['staging', 1],
        ['rebooting', 3],
      ],
      '127.0.0.2': [],
    },
    { position: 40 },
  );

  test('starts with the report', () => {
    const { hosts } = createProgress(response);
    expect(hosts.get('127.0.0.1')).toEqual({
      ...{
        address: '127.0.0.1',
        hostname: '',
        state: 'rebooting',
        attempt: 1,
        position: 0,
        problem: '',
        lastEventId: 0,
      },
      isUnchanged: false,
      phases: [
        { phase: 'staging', attempt: 1, atMs: second(1) },
        { phase: 'rebooting', attempt: 1, atMs: second(3) },
      ],
      ...{ sinceMs: second(3), inFlightSinceMs: second(3) },
    });
    expect(hosts.get('127.0.0.2')).toMatchObject({ state: 'pending', sinceMs: undefined });
  });

  test('applies host events', () => {
    const next = applyEvent(createProgress(response), hostEvent(41, '127.0.0.1', 'verifying', 9));
    expect(next.hosts.get('127.0.0.1')).toMatchObject({
      ...{ state: 'verifying', sinceMs: second(9), inFlightSinceMs: second(3), lastEventId: 41 },
    });
  });

  test('clears the start of the slot and the problem for a new attempt', () => {
    const failed = applyEvent(
      createProgress(response),
      hostEvent(41, '127.0.0.1', 'failed', 9, { problem: 'no response' }),
    );
    expect(failed.hosts.get('127.0.0.1')?.problem).toBe('no response');
    const retried = applyEvent(failed, hostEvent(42, '127.0.0.1', 'pending', 20, { attempt: 2 }));
    expect(retried.hosts.get('127.0.0.1')).toMatchObject({ problem: '', inFlightSinceMs: undefined });
    const secondAttempt = applyEvent(retried, hostEvent(43, '127.0.0.1', 'armed', 21, { attempt: 2 }));
    expect(secondAttempt.hosts.get('127.0.0.1')?.inFlightSinceMs).toBe(second(21));
  });

  test('records each phase once; a host that responds again continues in its phase', () => {
    const events = [
      hostEvent(41, '127.0.0.1', 'unreachable', 5),
      hostEvent(42, '127.0.0.1', 'rebooting', 8),
      hostEvent(43, '127.0.0.1', 'verifying', 9),
    ];
    const host = applyEvents(createProgress(response), events).hosts.get('127.0.0.1');
    expect(host?.phases.map(({ phase, atMs }) => [phase, atMs])).toEqual([
      ['staging', second(1)],
      ['rebooting', second(3)],
      ['verifying', second(9)],
    ]);
  });

  test('records when a host was queued, so that staging ends there', () => {
    const events = [hostEvent(41, '127.0.0.2', 'staging', 4), hostEvent(42, '127.0.0.2', 'queued', 6)];
    const host = applyEvents(createProgress(response), events).hosts.get('127.0.0.2');
    expect(host?.phases.slice(-2).map(({ phase, atMs }) => [phase, atMs])).toEqual([
      ['staging', second(4)],
      ['queued', second(6)],
    ]);
  });

  test('marks a host as unchanged if it is done without having been in flight', () => {
    const { hosts } = applyEvents(createProgress(response), [
      hostEvent(41, '127.0.0.1', 'done', 9),
      hostEvent(42, '127.0.0.2', 'done', 9),
    ]);
    expect([...hosts.values()].map(({ isUnchanged }) => isUnchanged)).toEqual([false, true]);
  });

  test('keeps the objects of other hosts in a batch of events', () => {
    const before = createProgress(response);
    const after = applyEvents(before, [
      hostEvent(41, '127.0.0.2', 'staging', 4),
      hostEvent(42, '127.0.0.2', 'armed', 5),
    ]);
    expect(after.hosts.get('127.0.0.1')).toBe(before.hosts.get('127.0.0.1'));
    expect(after.hosts.get('127.0.0.2')).toMatchObject({ state: 'armed', inFlightSinceMs: second(5) });
    expect(getState(before, '127.0.0.2')).toBe('pending');
  });

  test('copies the hosts once per batch of events', () => {
    const addresses = Array.from({ length: 5_000 }, (_, index) => `host-${index}`);
    const large = createProgress(operationResponse(Object.fromEntries(addresses.map(address => [address, []]))));
    const events = addresses.map((address, index) => hostEvent(index + 2, address, 'staging', 1));
    const copies = [vi.spyOn(OrderedHosts.prototype, 'with'), vi.spyOn(OrderedHosts, 'of')];
    const { hosts } = applyEvents(large, events);
    const count = copies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const spy of copies) spy.mockRestore();
    expect(count).toBe(1);
    expect(hosts.list.every(({ state }) => state === 'staging')).toBe(true);
  });

  test.each([
    ['of an unknown host', hostEvent(41, '127.0.0.9', 'done', 9)],
    ['with an unknown state', { ...hostEvent(41, '127.0.0.1', 'done', 9), data: { state: 'x' } }],
    ['of another type', { ...hostEvent(41, '127.0.0.1', 'done', 9), type: 'operation.state' as const }],
    ['that the report includes', hostEvent(40, '127.0.0.1', 'armed', 9)],
    ['that is older than the report', hostEvent(41, '127.0.0.1', 'armed', 2)],
    ['that is a reset', { type: 'reset' as const, after: 1, position: 2 }],
  ])('ignores an event %s', (_name, event) => {
    const progress = createProgress(response);
    expect(applyEvent(progress, event)).toBe(progress);
  });

  test('keeps the state of an event that is newer than a report', () => {
    const updated = applyEvent(createProgress(response), hostEvent(45, '127.0.0.1', 'done', 9));
    expect(getState(applyFullReport(updated, { ...response, position: 44 }), '127.0.0.1')).toBe('done');
    expect(getState(applyFullReport(updated, { ...response, position: 45 }), '127.0.0.1')).toBe('rebooting');
  });

  test('ignores an older report of the operation', () => {
    const paused = operationResponse({}, { position: 39, state: 'paused' });
    const progress = createProgress(response);
    expect(applyOperation(progress, paused)).toBe(progress);
    expect(applyOperation(progress, { ...paused, position: 41 }).operation.state).toBe('paused');
  });

  test('stays the same object if the connection state does not change', () => {
    const disconnected = setDisconnectedSince(createProgress(response), 5);
    expect(setDisconnectedSince(disconnected, 5)).toBe(disconnected);
    expect(setDisconnectedSince(disconnected, undefined).disconnectedSinceMs).toBeUndefined();
  });

  test.each<[HostProgress['state'], number | undefined, string]>([
    ['pending', undefined, 'waiting'],
    ['preflight', undefined, 'preparing'],
    ['staging', undefined, 'preparing'],
    ['queued', undefined, 'waiting'],
    ['cordoning', 1, 'in_flight'],
    ['uncordoning', 1, 'in_flight'],
    ['unreachable', undefined, 'preparing'],
    ['unreachable', 1, 'in_flight'],
    ['done', 1, 'ended'],
    ['skipped', undefined, 'ended'],
  ])('puts a host in state %s, in flight since %s, into the group %s', (state, inFlightSinceMs, group) => {
    expect(getPhaseGroup({ state, inFlightSinceMs })).toBe(group);
  });

  test('counts hosts by state and by phase group', () => {
    const hosts = {
      a: [['done', 1]],
      b: [['failed', 1]],
      c: [['skipped', 1]],
      d: [['armed', 1]],
      e: [],
      f: [['staging', 1]],
    } as const;
    const progress = applyEvents(createProgress(operationResponse({ ...hosts, g: [['staging', 1]] })), [
      hostEvent(41, 'g', 'queued', 5),
    ]);
    expect(countHosts(progress)).toEqual({ total: 7, done: 1, failed: 1, skipped: 1, remaining: 4 });
    const counts = { total: 7, pending: 1, preparing: 1, queued: 1, in_flight: 1, done: 1, failed: 1, skipped: 1 };
    expect(countByPhaseGroup(progress.hosts.list)).toEqual(counts);
  });

  test('counts the hosts that wait by phase, and together after the end of the operation', () => {
    const counts = { total: 9, pending: 1, preparing: 2, queued: 3, in_flight: 0, done: 1, failed: 1, skipped: 1 };
    expect(waitingCounts(counts, false)).toEqual([
      ['pending', 1],
      ['preparing', 2],
      ['queued', 3],
    ]);
    expect(waitingCounts(counts, true)).toEqual([['not started', 6]]);
  });

  test('counts an unreachable host in its previous group', () => {
    const progress = applyEvents(createProgress(response), [
      hostEvent(41, '127.0.0.1', 'unreachable', 5),
      hostEvent(42, '127.0.0.2', 'unreachable', 5),
    ]);
    expect(countByPhaseGroup(progress.hosts.list)).toMatchObject({ in_flight: 1, preparing: 1, pending: 0 });
  });
});
