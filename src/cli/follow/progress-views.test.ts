import { describe, expect, test } from 'vitest';
import { afterNoonMs, hostEvent, operationResponse } from '../../../test/harness/events/operation-responses.ts';
import type { OperationProgress } from '../../sdk/operation-progress.ts';
import { applyEvents, applyOperation, createProgress } from '../../sdk/operation-progress.ts';
import { toLogEntries } from './progress-views.ts';

const hosts = { '127.0.0.1': [], '127.0.0.2': [] };
const first = createProgress(operationResponse(hosts));
const getTexts = (before: OperationProgress | undefined, after: OperationProgress) =>
  toLogEntries(before, after, afterNoonMs(30)).map(({ text }) => text);
const withOperation = (options: Parameters<typeof operationResponse>[1]) =>
  applyOperation(first, operationResponse(hosts, options));

describe('toLogEntries()', () => {
  test.each<[string, OperationProgress | undefined, OperationProgress, string[]]>([
    ['describes the operation first', undefined, first, ['restart of web running; 0 of 2 hosts done']],
    [
      'lists existing failures first',
      undefined,
      applyEvents(first, [hostEvent(2, '127.0.0.2', 'failed', 5, { problem: 'still_booting: x' })]),
      ['restart of web running; 0 of 2 hosts done, 1 failed', '127.0.0.2 failed: still_booting: x'],
    ],
    ['returns nothing without a change', first, first, []],
    [
      'reports a new phase',
      first,
      applyEvents(first, [hostEvent(2, '127.0.0.1', 'rebooting', 5)]),
      ['127.0.0.1 rebooting'],
    ],
    [
      'reports a failure with its reason',
      first,
      applyEvents(first, [hostEvent(2, '127.0.0.2', 'failed', 5, { problem: 'still_booting: x', attempt: 2 })]),
      ['127.0.0.2 failed (attempt 2): still_booting: x'],
    ],
    [
      'reports a pause with the commands that help',
      first,
      withOperation({
        state: 'paused',
        paused_by: 'failures',
        problem: 'too many',
        can: ['retry', 'cancel'],
      }),
      [
        'restart of web paused; 0 of 2 hosts done; paused because hosts failed: too many; run one of: hostler operation retry|cancel WyzVWrRqLeNReH6i',
      ],
    ],
    [
      'reports a pause by the budget with the command that excludes the blocking hosts',
      first,
      withOperation({
        ...{ state: 'paused', paused_by: 'budget', can: ['retry', 'resume'] },
        unavailable_hosts: [
          { address: '127.0.0.2', hostname: '', reason: 'unreachable', detail: '', since: null },
          { address: '127.0.0.3', hostname: '', reason: 'maintenance', detail: '', since: null },
        ],
      }),
      [
        'restart of web paused; 0 of 2 hosts done; paused because unavailable hosts use all slots; continue without these hosts: hostler operation retry WyzVWrRqLeNReH6i --exclude 127.0.0.2,127.0.0.3; run one of: hostler operation retry|resume WyzVWrRqLeNReH6i',
      ],
    ],
    [
      'reports a pause by a partition with the effect of resuming',
      first,
      withOperation({ state: 'paused', paused_by: 'partitioned', can: ['resume', 'cancel'] }),
      [
        'restart of web paused; 0 of 2 hosts done; paused because no server can reach most of its hosts; it resumes by itself when the hosts respond again; if you resume it now, you declare the outage real: hosts that do not respond become unreachable, and the budget applies to them; run one of: hostler operation resume|cancel WyzVWrRqLeNReH6i',
      ],
    ],
    [
      'reports a skipped host with its reason',
      first,
      applyEvents(first, [hostEvent(2, '127.0.0.2', 'skipped', 5, { problem: 'unhealthy: it is unreachable' })]),
      ['127.0.0.2 skipped: unhealthy: it is unreachable'],
    ],
    [
      'reports a wait',
      first,
      withOperation({ problem: 'waiting for x' }),
      ['restart of web running; 0 of 2 hosts done; waiting for x'],
    ],
    ['does not report the end of a wait', withOperation({ problem: 'waiting for x' }), first, []],
    ['does not report the end of the operation', first, withOperation({ state: 'failed', status: 'failed' }), []],
  ])('%s', (_name, before, after, expected) => {
    expect(getTexts(before, after)).toEqual(expected);
  });

  test('names hosts by their hostname in the reason for a wait', () => {
    const named = operationResponse(hosts, { problem: 'checking 127.0.0.1, 127.0.0.2, 127.0.0.9, 127.0.0.10' });
    const report = {
      ...named.report,
      hosts: named.report.hosts.map(host => (host.address === '127.0.0.1' ? { ...host, hostname: 'web-1' } : host)),
      unavailable_hosts: [
        { address: '127.0.0.9', hostname: 'web-9', reason: 'unreachable' as const, detail: '', since: null },
      ],
    };
    expect(getTexts(undefined, createProgress({ ...named, report }))).toEqual([
      'restart of web running; 0 of 2 hosts done; checking web-1 (127.0.0.1), 127.0.0.2, web-9 (127.0.0.9), 127.0.0.10',
    ]);
  });

  test('uses the end of an operation that has already ended', () => {
    const finished_at = '2026-11-15T12:00:20.000000';
    const ended = withOperation({ state: 'finished', status: 'finished', finished_at });
    expect(toLogEntries(undefined, ended, afterNoonMs(3600))).toMatchObject([{ atMs: afterNoonMs(20) }]);
  });

  test('uses the time of the event', () => {
    const next = applyEvents(first, [hostEvent(2, '127.0.0.1', 'rebooting', 5)]);
    expect(toLogEntries(first, next, afterNoonMs(30))).toMatchObject([{ atMs: afterNoonMs(5) }]);
  });
});
