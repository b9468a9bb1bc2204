import { describe, expect, test } from 'vitest';
import { toRecordName } from '../record-name.ts';
import { RUNNING } from '../rollout/decision.ts';
import type { InternalPauseReason } from '../rollout/operation.ts';
import type { PauseReason } from '../vocabulary.ts';
import { operationStatusEvents } from './status-events.ts';

const PAUSED_BY: Readonly<Record<InternalPauseReason, PauseReason>> = {
  manual: 'manual',
  failures: 'failures',
  window: 'window',
  budget: 'budget',
  partitioned: 'partitioned',
  global_pause: 'manual',
  restored: 'manual',
};

describe('operationStatusEvents', () => {
  const running = { ...RUNNING, id: 'Op1', kind: 'restart', cluster: toRecordName('web') } as const;
  const paused = (pause: InternalPauseReason, problem = '') => ({ state: 'paused', pause, problem }) as const;

  test.each(Object.entries(PAUSED_BY))('reports the pause %s as paused_by %s', (pause, reason) => {
    const events = operationStatusEvents(running, paused(pause as InternalPauseReason, 'why'));
    expect(events).toMatchObject([
      { type: 'operation.state', data: { state: 'paused', paused_by: reason, problem: 'why' } },
    ]);
  });

  test('has no paused_by unless the operation is paused', () => {
    const events = operationStatusEvents({ ...running, ...paused('window') }, RUNNING);
    expect(events).toMatchObject([{ type: 'operation.state', data: { state: 'running' } }]);
    expect(events[0]).not.toHaveProperty('data.paused_by');
  });

  test('returns no event if neither the state nor the pause changed', () => {
    expect(operationStatusEvents(running, { ...RUNNING, problem: 'waiting' })).toEqual([]);
  });
});
