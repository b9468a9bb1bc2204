import { describe, expect, test } from 'vitest';
import { afterNoonMs, operationResponse } from '../../../test/harness/events/operation-responses.ts';
import type { OperationProgress } from '../../sdk/operation-progress.ts';
import { createProgress, setDisconnectedSince } from '../../sdk/operation-progress.ts';
import { createColorizer } from '../output/format.ts';
import { renderProgress } from './render-progress.ts';

const plain = { columns: 90, rows: 24, colorize: createColorizer(false) };
const ID = 'WyzVWrRqLeNReH6i';

const running = createProgress(
  operationResponse(
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
    { errors: { '127.0.0.3': 'still_booting: no response' } },
  ),
);
const many = createProgress(
  operationResponse(
    Object.fromEntries([
      ...Array.from({ length: 30 }, (_, index) => [`127.1.0.${index}`, [['armed', 0]]]),
      ...Array.from({ length: 30 }, (_, index) => [`127.2.0.${index}`, [['failed', 0]]]),
    ]),
  ),
);
const render = (progress: OperationProgress, viewport: Partial<typeof plain> = {}) =>
  renderProgress(progress, afterNoonMs(25), { ...plain, ...viewport });

describe('renderProgress()', () => {
  test('shows a header, a bar with the remaining time, failed hosts and active hosts', () => {
    expect(render(running)).toEqual([
      `restart of web  running  by admin, 25s  ${ID}`,
      '████████████▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░  2 of 6 done, 1 failed, 3 remaining, about 15s left',
      '127.0.0.3  failed          still_booting: no response',
      '127.0.0.4  rebooting   5s',
      '127.0.0.5  staging    23s',
    ]);
  });

  test('shows why the operation waits, and the commands that help', () => {
    const response = operationResponse(
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

  test.each<[string, Parameters<typeof operationResponse>[1], string]>([
    [
      'its window',
      { state: 'paused', paused_by: 'window', problem: 'the window is closed' },
      'paused until its time window opens: the window is closed',
    ],
    ['blocking hosts', { problem: 'waiting for 127.0.0.3' }, 'waiting for 127.0.0.3'],
    ['hosts in flight', { state: 'cancelling' }, 'waiting for hosts in flight'],
  ])('shows that the operation waits for %s', (_name, options, line) => {
    expect(render(createProgress(operationResponse({}, options)))[2]).toBe(line);
  });

  test('shows that no server responds only after a delay', () => {
    const line = 'no server responds, retrying';
    expect(render(setDisconnectedSince(running, afterNoonMs(24)))).not.toContain(line);
    expect(render(setDisconnectedSince(running, afterNoonMs(20)))).toContain(line);
  });

  test.each([1, 2, 3, 5, 8, 24, 60])('fits into %i rows and keeps failed hosts beside active hosts', rows => {
    const lines = render(many, { rows });
    expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
    if (rows < 8) return;
    expect(lines.some(line => /^127\.1\..*armed/.test(line))).toBe(true);
    expect(lines.some(line => /^127\.2\..*failed/.test(line))).toBe(true);
  });

  test('shows the number of hidden hosts', () => {
    const lines = render(many, { rows: 13 });
    expect(lines.filter(line => line.startsWith('…'))).toEqual(['… and 26 more', '… and 26 more']);
  });

  test.each([1, 10, 30, 60])('renders no line wider than %i columns', columns => {
    for (const line of render(running, { columns })) expect([...line].length).toBeLessThanOrEqual(columns);
  });

  test('removes escape sequences in the text of a host', () => {
    const response = operationResponse({ '127.0.0.1': [['failed', 1]] }, { errors: { '127.0.0.1': 'a\u001b[2Jb\nc' } });
    expect(render(createProgress(response)).at(-1)).toBe('127.0.0.1  failed  a[2Jb c');
  });

  test('shows no active hosts after the end', () => {
    const ended = { state: 'failed', status: 'failed', finished_at: '2026-11-15T12:00:20.000000' } as const;
    const lines = render(
      createProgress(operationResponse({ '127.0.0.1': [['armed', 1]] }, { ...ended, problem: 'why' })),
    );
    expect(lines).toEqual([
      `restart of web  failed  by admin, 20s  ${ID}`,
      expect.stringContaining('0 of 1 done, 1 remaining'),
      'why',
    ]);
  });
});
