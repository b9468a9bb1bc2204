import { describe, expect, test } from 'vitest';
import { rolloutTask, stepFixture } from '../../../test/harness/rollout/step-fixtures.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import type { DrainTimeoutAction } from '../../domain/vocabulary.ts';
import type { DrainReport } from '../../drivers/container-manager/container-manager.ts';
import { done, failed, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { drain } from './drain.ts';

const taskWith = (onTimeout: DrainTimeoutAction) => rolloutTask('restart', { drain: { timeoutS: 60, onTimeout } });

async function runDrain(onTimeout: DrainTimeoutAction, spentS: number, report: DrainReport) {
  const forces: boolean[] = [];
  const manager = {
    drain: async (_node: unknown, { force }: { readonly force: boolean }) => {
      forces.push(force);
      return report;
    },
  };
  const task = taskWith(onTimeout);
  const { context } = stepFixture(task, {}, { manager, state: { retryTimeMs: spentS * 1000 } });
  return { outcome: await drain.run(context), forces };
}

const DRAINING: DrainReport = { state: 'draining', remaining: 2, detail: 'a, b' };
const REFUSED: DrainReport = { state: 'refused', detail: 'c has no controller' };

describe('drain', () => {
  test.each<[string, DrainTimeoutAction, number, DrainReport, Outcome, boolean]>([
    ['is done when no workload is left', 'fail', 0, { state: 'drained' }, done({ is_forced: false }), false],
    ['retries while workloads are left', 'fail', 0, DRAINING, retry('draining: 2 left: a, b'), false],
    [
      'fails when a workload cannot be evicted',
      'fail',
      0,
      REFUSED,
      failed('drain_refused: c has no controller'),
      false,
    ],
    [
      'retries a refused drain until force is allowed',
      'force',
      0,
      REFUSED,
      retry('drain_refused: c has no controller'),
      false,
    ],
    ['uses no force before the timeout', 'force', 59.9, DRAINING, retry('draining: 2 left: a, b'), false],
    ['uses force after the timeout', 'force', 60, { state: 'drained' }, done({ is_forced: true }), true],
    ['never uses force with on_timeout fail', 'fail', 600, DRAINING, retry('draining: 2 left: a, b'), false],
  ])('%s', async (_what, onTimeout, spentS, report, expected, force) => {
    const { outcome, forces } = await runDrain(onTimeout, spentS, report);
    expect(outcome).toEqual(expected);
    expect(forces).toEqual([force]);
  });

  test.each([
    ['retries when the container manager is unavailable', {}, retry('container_manager: connection refused')],
    ['does nothing when the cluster has no container manager', null, done()],
  ])('%s', async (_what, manager, expected) => {
    const task = taskWith('fail');
    expect(await drain.run(stepFixture(task, {}, { manager }).context)).toEqual(expected);
  });

  test('has the timeout of the policy, and twice as long if force is allowed', () => {
    expect(drain.retryPolicy(taskWith('fail'), INITIAL_TASK_STATE).timeoutMs).toBe(60_000);
    expect(drain.retryPolicy(taskWith('force'), INITIAL_TASK_STATE).timeoutMs).toBe(120_000);
  });
});
