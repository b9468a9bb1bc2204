import { describe, expect, test } from 'vitest';
import type { DrainTimeoutRule } from '../../domain/vocabulary.ts';
import type { DrainReport } from '../../drivers/container-manager/node-report.ts';
import { again, done, failed } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { drain } from './drain.ts';
import { labOf, workToRoll } from './rolling-lab.ts';

const workThat = (onTimeout: DrainTimeoutRule) =>
  workToRoll('restart', { drain: { timeoutS: 60, onTimeout } });

/** What comes of a pass, and by which force it was. */
async function pass(onTimeout: DrainTimeoutRule, spentS: number, report: DrainReport) {
  const forces: boolean[] = [];
  const manager = {
    drain: async (_node: unknown, { force }: { readonly force: boolean }) => {
      forces.push(force);
      return report;
    },
  };
  const work = workThat(onTimeout);
  const { context } = labOf(work, {}, { manager, progress: { spentMs: spentS * 1000 } });
  return { outcome: await drain(work).run(context), forces };
}

const DRAINING: DrainReport = { state: 'draining', left: 2, detail: 'a, b' };
const REFUSED: DrainReport = { state: 'refused', detail: 'c has no controller' };

describe('draining', () => {
  test.each<[string, DrainTimeoutRule, number, DrainReport, Outcome, boolean]>([
    ['is done when nothing is left', 'fail', 0, { state: 'drained' }, done({ is_forced: false }), false],
    ['is not done when it was only asked for', 'fail', 0, DRAINING, again('draining: 2 left: a, b'), false],
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
      again('drain_refused: c has no controller'),
      false,
    ],
    ['uses no force before its time', 'force', 59.9, DRAINING, again('draining: 2 left: a, b'), false],
    ['uses force when its time is over', 'force', 60, { state: 'drained' }, done({ is_forced: true }), true],
    ['never uses force unless asked to', 'fail', 600, DRAINING, again('draining: 2 left: a, b'), false],
  ])('%s', async (_what, onTimeout, spentS, report, expected, force) => {
    const { outcome, forces } = await pass(onTimeout, spentS, report);
    expect(outcome).toEqual(expected);
    expect(forces).toEqual([force]);
  });

  test.each([
    ['waits for a manager that is away', {}, again('container_manager: it is away')],
    ['is nothing without a manager', null, done()],
  ])('%s', async (_what, manager, expected) => {
    const work = workThat('fail');
    expect(await drain(work).run(labOf(work, {}, { manager }).context)).toEqual(expected);
  });

  test('has its time, and as long again by force', () => {
    expect(drain(workThat('fail')).patience.giveUpAfterMs).toBe(60_000);
    expect(drain(workThat('force')).patience.giveUpAfterMs).toBe(120_000);
  });
});
