import { describe, expect, test } from 'vitest';
import { hostEvent, noonMs, readOf } from '../../../test/harness/events/followed.ts';
import type { OperationProgress } from '../../sdk/operation-progress.ts';
import { applyEvents, applyOperation, createProgress } from '../../sdk/operation-progress.ts';
import { toLogEntries } from './progress-views.ts';

const hosts = { '127.0.0.1': [], '127.0.0.2': [] };
const first = createProgress(readOf(hosts));
const getTexts = (before: OperationProgress | undefined, after: OperationProgress) =>
  toLogEntries(before, after, noonMs(30)).map(({ text }) => text);
const withOperation = (options: Parameters<typeof readOf>[1]) =>
  applyOperation(first, readOf(hosts, options));

describe('a line is written', () => {
  test.each<[string, OperationProgress | undefined, OperationProgress, string[]]>([
    ['at first', undefined, first, ['restart of web running; 0 of 2 hosts done']],
    [
      'at first for each failure that there is already',
      undefined,
      applyEvents(first, [hostEvent(2, '127.0.0.2', 'failed', 5, { problem: 'still_booting: x' })]),
      ['restart of web running; 0 of 2 hosts done, 1 failed', '127.0.0.2 failed: still_booting: x'],
    ],
    ['never for nothing', first, first, []],
    [
      'for a phase',
      first,
      applyEvents(first, [hostEvent(2, '127.0.0.1', 'rebooting', 5)]),
      ['127.0.0.1 rebooting'],
    ],
    [
      'for a failure, with its reason',
      first,
      applyEvents(first, [
        hostEvent(2, '127.0.0.2', 'failed', 5, { problem: 'still_booting: x', attempt: 2 }),
      ]),
      ['127.0.0.2 failed (attempt 2): still_booting: x'],
    ],
    [
      'for a pause, with the commands that help',
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
      'for a pause by the budget, with the command that leaves the blocking hosts out',
      first,
      withOperation({
        ...{ state: 'paused', paused_by: 'budget', can: ['retry', 'resume'] },
        unavailable_hosts: [
          { address: '127.0.0.2', reason: 'unreachable', detail: '', since: null },
          { address: '127.0.0.3', reason: 'maintenance', detail: '', since: null },
        ],
      }),
      [
        'restart of web paused; 0 of 2 hosts done; paused because unavailable hosts use all slots; continue without these hosts: hostler operation retry WyzVWrRqLeNReH6i --exclude 127.0.0.2,127.0.0.3; run one of: hostler operation retry|resume WyzVWrRqLeNReH6i',
      ],
    ],
    [
      'for a pause by a partition, with what resume does',
      first,
      withOperation({ state: 'paused', paused_by: 'partitioned', can: ['resume', 'cancel'] }),
      [
        'restart of web paused; 0 of 2 hosts done; paused because no server can reach most of its hosts; it resumes by itself when the hosts respond again; if you resume it now, you declare the outage real: hosts that do not respond become unreachable, and the budget applies to them; run one of: hostler operation resume|cancel WyzVWrRqLeNReH6i',
      ],
    ],
    [
      'for a skipped host, with its reason',
      first,
      applyEvents(first, [
        hostEvent(2, '127.0.0.2', 'skipped', 5, { problem: 'unhealthy: it is unreachable' }),
      ]),
      ['127.0.0.2 skipped: unhealthy: it is unreachable'],
    ],
    [
      'for a wait',
      first,
      withOperation({ problem: 'waiting for x' }),
      ['restart of web running; 0 of 2 hosts done; waiting for x'],
    ],
    ['not for a wait that is over', withOperation({ problem: 'waiting for x' }), first, []],
    [
      'not for the end, which is told otherwise',
      first,
      withOperation({ state: 'failed', status: 'failed' }),
      [],
    ],
  ])('%s', (_name, before, after, expected) => {
    expect(getTexts(before, after)).toEqual(expected);
  });

  test('with the time at which it happened', () => {
    const next = applyEvents(first, [hostEvent(2, '127.0.0.1', 'rebooting', 5)]);
    expect(toLogEntries(first, next, noonMs(30))).toMatchObject([{ atMs: noonMs(5) }]);
  });
});
