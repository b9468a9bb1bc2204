import { describe, expect, test } from 'vitest';
import type { OperationAction, OperationHostState } from '#vocabulary';
import { OPERATION_ACTIONS } from '#vocabulary';
import type { ActionTarget } from './operation-actions.ts';
import { actionFor, getHostActions } from './operation-actions.ts';

describe('actionFor', () => {
  test.each<[ActionTarget, title: string, skipsConfirmation: boolean]>([
    [{ action: 'resume' }, 'Resume', true],
    [{ action: 'resume', pausedBy: 'budget' }, 'Resume', true],
    [{ action: 'resume', pausedBy: 'partitioned' }, 'Resume', false],
    [{ action: 'pause', pausedBy: 'partitioned' }, 'Pause', true],
    [{ action: 'retry' }, 'Retry failed hosts', false],
    [{ action: 'retry', hasFailed: true }, 'Retry failed hosts', false],
    [{ action: 'retry', hasFailed: false }, 'Retry', false],
    [{ action: 'retry', host: '127.0.0.1' }, 'Retry this host', false],
    [{ action: 'retry', exclude: ['127.0.0.2'], hasFailed: false }, 'Retry without these hosts', false],
  ])('%j has the title %s', (target, title, skipsConfirmation) => {
    const definition = actionFor(target);
    expect([definition.title, definition.skipsConfirmation ?? false]).toEqual([title, skipsConfirmation]);
  });

  test('explains that resuming after a partition marks unresponsive hosts as unreachable', () => {
    expect(actionFor({ action: 'resume', pausedBy: 'partitioned' }).effects.join(' ')).toContain(
      'you declare the outage real: hosts that do not respond become unreachable',
    );
  });
});

test.each<[OperationHostState, readonly OperationAction[], readonly OperationAction[]]>([
  ['failed', OPERATION_ACTIONS, ['retry', 'skip']],
  ['failed', ['retry', 'cancel'], ['retry']],
  ['failed', [], []],
  ['pending', OPERATION_ACTIONS, ['skip']],
  ['rebooting', OPERATION_ACTIONS, ['skip']],
  ['unreachable', OPERATION_ACTIONS, ['skip']],
  ['done', OPERATION_ACTIONS, []],
  ['skipped', OPERATION_ACTIONS, []],
])(
  'getHostActions returns, for a host in state %s of an operation that allows %j, the actions %j',
  (state, can, expected) => {
    expect(getHostActions(state, can).toSorted()).toEqual(expected);
  },
);
