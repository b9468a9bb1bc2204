import { describe, expect, test } from 'vitest';
import { recordNameOf } from '../record-name.ts';
import type { PauseReason } from '../vocabulary.ts';
import { RUNNING } from './decision.ts';
import type { Pause } from './operation.ts';
import { standingTold } from './told.ts';

const PAUSED_BY: Readonly<Record<Pause, PauseReason>> = {
  manual: 'manual',
  failures: 'failures',
  window: 'window',
  budget: 'budget',
  partitioned: 'partitioned',
  global_pause: 'manual',
  restored: 'manual',
};

describe('the event of a state change', () => {
  const running = { ...RUNNING, id: 'Op1', kind: 'restart', cluster: recordNameOf('web') } as const;
  const paused = (pause: Pause, problem = '') => ({ state: 'paused', pause, problem }) as const;

  test.each(Object.entries(PAUSED_BY))('pause %s has paused_by %s', (pause, reason) => {
    const events = standingTold(running, paused(pause as Pause, 'why'));
    expect(events).toMatchObject([
      { type: 'operation.state', data: { state: 'paused', paused_by: reason, problem: 'why' } },
    ]);
  });

  test('has no paused_by unless the operation is paused', () => {
    const events = standingTold({ ...running, ...paused('window') }, RUNNING);
    expect(events).toMatchObject([{ type: 'operation.state', data: { state: 'running' } }]);
    expect(events[0]).not.toHaveProperty('data.paused_by');
  });

  test('is missing if neither the state nor the pause changed', () => {
    expect(standingTold(running, { ...RUNNING, problem: 'waiting' })).toEqual([]);
  });
});
