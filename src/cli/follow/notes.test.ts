import { describe, expect, test } from 'vitest';
import { hostEvent, noonMs, readOf } from '../../../test/harness/events/followed.ts';
import type { Progress } from '../../client/operation-progress.ts';
import { firstProgress, withEvents, withWhole } from '../../client/operation-progress.ts';
import { notesOf } from './notes.ts';

const hosts = { '127.0.0.1': [], '127.0.0.2': [] };
const first = firstProgress(readOf(hosts));
const textsOf = (before: Progress | undefined, after: Progress) =>
  notesOf(before, after, noonMs(30)).map(({ text }) => text);
const steered = (whole: Parameters<typeof readOf>[1]) => withWhole(first, readOf(hosts, whole));

describe('a line is written', () => {
  test.each<[string, Progress | undefined, Progress, string[]]>([
    ['at first', undefined, first, ['restart of web running; 0 of 2 hosts done']],
    [
      'at first for each failure that there is already',
      undefined,
      withEvents(first, [hostEvent(2, '127.0.0.2', 'failed', 5, { problem: 'not_up: x' })]),
      ['restart of web running; 0 of 2 hosts done, 1 failed', '127.0.0.2 failed: not_up: x'],
    ],
    ['never for nothing', first, first, []],
    [
      'for a phase',
      first,
      withEvents(first, [hostEvent(2, '127.0.0.1', 'rebooting', 5)]),
      ['127.0.0.1 rebooting'],
    ],
    [
      'for a failure, with its reason',
      first,
      withEvents(first, [hostEvent(2, '127.0.0.2', 'failed', 5, { problem: 'not_up: x', attempt: 2 })]),
      ['127.0.0.2 failed (attempt 2): not_up: x'],
    ],
    [
      'for a pause, with what may be decided',
      first,
      steered({ state: 'paused', paused_by: 'failures', problem: 'too many', can: ['retry', 'cancel'] }),
      [
        'restart of web paused; 0 of 2 hosts done; paused, since hosts have failed: too many; decide by: hostler operation retry|cancel WyzVWrRqLeNReH6i',
      ],
    ],
    [
      'for a wait',
      first,
      steered({ problem: 'waits for x' }),
      ['restart of web running; 0 of 2 hosts done; waits for x'],
    ],
    ['not for a wait that is over', steered({ problem: 'waits for x' }), first, []],
    ['not for the end, which is told otherwise', first, steered({ state: 'failed', status: 'failed' }), []],
  ])('%s', (_what, before, after, expected) => {
    expect(textsOf(before, after)).toEqual(expected);
  });

  test('with the time at which it happened', () => {
    const next = withEvents(first, [hostEvent(2, '127.0.0.1', 'rebooting', 5)]);
    expect(notesOf(first, next, noonMs(30))).toMatchObject([{ atMs: noonMs(5) }]);
  });
});
