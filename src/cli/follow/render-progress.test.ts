import { describe, expect, test } from 'vitest';
import { noonMs, readOf } from '../../../test/harness/events/followed.ts';
import type { OperationProgress } from '../../sdk/operation-progress.ts';
import { createProgress, setDisconnectedSince } from '../../sdk/operation-progress.ts';
import { createColorizer } from '../output/format.ts';
import { renderProgress } from './render-progress.ts';

const plain = { columns: 90, rows: 24, colorize: createColorizer(false) };
const ID = 'WyzVWrRqLeNReH6i';

const running = createProgress(
  readOf(
    {
      '127.0.0.1': [
        ['armed', 0],
        ['done', 10],
      ],
      '127.0.0.2': [
        ['armed', 10],
        ['done', 20],
      ],
      '127.0.0.3': [
        ['armed', 10],
        ['failed', 18],
      ],
      '127.0.0.4': [
        ['staging', 2],
        ['rebooting', 20],
      ],
      '127.0.0.5': [['staging', 2]],
      '127.0.0.6': [],
    },
    { errors: { '127.0.0.3': 'still_booting: it does not come up' } },
  ),
);
const many = createProgress(
  readOf(
    Object.fromEntries([
      ...Array.from({ length: 30 }, (_, index) => [`127.1.0.${index}`, [['armed', 0]]]),
      ...Array.from({ length: 30 }, (_, index) => [`127.2.0.${index}`, [['failed', 0]]]),
    ]),
  ),
);
const render = (progress: OperationProgress, viewport: Partial<typeof plain> = {}) =>
  renderProgress(progress, noonMs(25), { ...plain, ...viewport });

describe('the picture of an operation', () => {
  test('has a header, a bar with the time that is left, what has failed, and who is under way', () => {
    expect(render(running)).toEqual([
      `restart of web  running  by admin, 25s  ${ID}`,
      '████████████▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░  2 of 6 done, 1 failed, 3 remaining, about 15s left',
      '127.0.0.3  failed          still_booting: it does not come up',
      '127.0.0.4  rebooting   5s',
      '127.0.0.5  staging    23s',
    ]);
  });

  test('prints why it waits, and the commands that help', () => {
    const response = readOf(
      { '127.0.0.1': [['failed', 1]] },
      {
        ...{
          state: 'paused',
          paused_by: 'failures',
          problem: 'too_many_failures: 1 failed, at most 0 allowed',
        },
        can: ['pause', 'resume', 'cancel', 'retry', 'skip'],
      },
    );
    expect(render(createProgress(response)).slice(1, 4)).toEqual([
      `${'▓'.repeat(40)}  0 of 1 done, 1 failed`,
      'paused because hosts failed: too_many_failures: 1 failed, at most 0 allowed',
      `run one of: hostler operation retry|skip|resume|cancel ${ID}`,
    ]);
  });

  test.each<[string, Parameters<typeof readOf>[1], string]>([
    [
      'its window',
      { state: 'paused', paused_by: 'window', problem: 'the window is closed' },
      'paused until its time window opens: the window is closed',
    ],
    ['hosts in the way', { problem: 'waiting for 127.0.0.3' }, 'waiting for 127.0.0.3'],
    ['those in flight', { state: 'cancelling' }, 'waiting for hosts in flight'],
  ])('says that it waits for %s', (_name, options, line) => {
    expect(render(createProgress(readOf({}, options)))[2]).toBe(line);
  });

  test('shows that no server responds only after a while', () => {
    const line = 'no server responds, retrying';
    expect(render(setDisconnectedSince(running, noonMs(24)))).not.toContain(line);
    expect(render(setDisconnectedSince(running, noonMs(20)))).toContain(line);
  });

  test.each([1, 2, 3, 5, 8, 24, 60])('fits into %i rows, with failures beside who is under way', rows => {
    const lines = render(many, { rows });
    expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
    if (rows < 8) return;
    expect(lines.some(line => /^127\.1\..*armed/.test(line))).toBe(true);
    expect(lines.some(line => /^127\.2\..*failed/.test(line))).toBe(true);
  });

  test('tells how many it does not show', () => {
    const lines = render(many, { rows: 13 });
    expect(lines.filter(line => line.startsWith('…'))).toEqual(['… and 26 more', '… and 26 more']);
  });

  test.each([1, 10, 30, 60])('has no line wider than %i columns', columns => {
    for (const line of render(running, { columns })) expect([...line].length).toBeLessThanOrEqual(columns);
  });

  test('takes no escape sequence from a host', () => {
    const response = readOf({ '127.0.0.1': [['failed', 1]] }, { errors: { '127.0.0.1': 'a\u001b[2Jb\nc' } });
    expect(render(createProgress(response)).at(-1)).toBe('127.0.0.1  failed  a[2Jb c');
  });

  test('when it is over nobody is under way any more', () => {
    const ended = { state: 'failed', status: 'failed', finished_at: '2026-11-15T12:00:20.000000' } as const;
    const lines = render(
      createProgress(readOf({ '127.0.0.1': [['armed', 1]] }, { ...ended, problem: 'why' })),
    );
    expect(lines).toEqual([
      `restart of web  failed  by admin, 20s  ${ID}`,
      expect.stringContaining('0 of 1 done, 1 remaining'),
      'why',
    ]);
  });
});
