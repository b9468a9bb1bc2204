import { describe, expect, test } from 'vitest';
import type { DrainTimeoutAction } from '../../domain/vocabulary.ts';
import type { DrainReport } from '../../drivers/container-manager/container-manager.ts';
import { done, failed, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { drain } from './drain.ts';
import { rolloutTask, stepFixture } from './step-fixtures.ts';

const taskWith = (onTimeout: DrainTimeoutAction) =>
  rolloutTask('restart', { drain: { timeoutS: 60, onTimeout } });

/** What comes of a pass, and by which force it was. */
async function pass(onTimeout: DrainTimeoutAction, spentS: number, report: DrainReport) {
  const forces: boolean[] = [];
  const manager = {
    drain: async (_node: unknown, { force }: { readonly force: boolean }) => {
      forces.push(force);
      return report;
    },
  };
  const task = taskWith(onTimeout);
  const { context } = stepFixture(task, {}, { manager, state: { retryTimeMs: spentS * 1000 } });
  return { outcome: await drain(task).run(context), forces };
}

const DRAINING: DrainReport = { state: 'draining', remaining: 2, detail: 'a, b' };
const REFUSED: DrainReport = { state: 'refused', detail: 'c has no controller' };

describe('draining', () => {
  test.each<[string, DrainTimeoutAction, number, DrainReport, Outcome, boolean]>([
    ['is done when nothing is left', 'fail', 0, { state: 'drained' }, done({ is_forced: false }), false],
    ['is not done when it was only asked for', 'fail', 0, DRAINING, retry('draining: 2 left: a, b'), false],
    [
      'fails when something will not go',
      'fail',
      0,
      REFUSED,
      failed('drain_refused: c has no controller'),
      false,
    ],
    [
      'waits for force when there may be',
      'force',
      0,
      REFUSED,
      retry('drain_refused: c has no controller'),
      false,
    ],
    ['uses no force before its time', 'force', 59.9, DRAINING, retry('draining: 2 left: a, b'), false],
    ['uses force when its time is over', 'force', 60, { state: 'drained' }, done({ is_forced: true }), true],
    ['never uses force unless asked to', 'fail', 600, DRAINING, retry('draining: 2 left: a, b'), false],
  ])('%s', async (_what, onTimeout, spentS, report, expected, force) => {
    const { outcome, forces } = await pass(onTimeout, spentS, report);
    expect(outcome).toEqual(expected);
    expect(forces).toEqual([force]);
  });

  test.each([
    ['waits for a manager that is away', {}, retry('container_manager: it is away')],
    ['is nothing without a manager', null, done()],
  ])('%s', async (_what, manager, expected) => {
    const task = taskWith('fail');
    expect(await drain(task).run(stepFixture(task, {}, { manager }).context)).toEqual(expected);
  });

  test('has its time, and as long again by force', () => {
    expect(drain(taskWith('fail')).retryPolicy.timeoutMs).toBe(60_000);
    expect(drain(taskWith('force')).retryPolicy.timeoutMs).toBe(120_000);
  });
});
