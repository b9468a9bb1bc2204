import { describe, expect, test } from 'vitest';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import type { NodeReport } from '../../drivers/container-manager/node-report.ts';
import { again, done } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { cordon, uncordon } from './cordon.ts';
import { HOST, labOf, workToRoll } from './rolling-lab.ts';

const work = workToRoll('restart');
const AWAY = again('container_manager: it is away');

describe('cordoning', () => {
  const allowed = async () => undefined;

  test.each<[string, Partial<ContainerManager> | null, Outcome]>([
    [
      'a node under our mark',
      { disruptionProblem: allowed, cordon: async () => 'cordoned' },
      done({ is_cordoned: true }),
    ],
    [
      'one that others have cordoned leaves it theirs',
      { disruptionProblem: allowed, cordon: async () => 'foreign' },
      done({ is_cordoned: false }),
    ],
    [
      'waits while it may not be disturbed',
      { disruptionProblem: async () => 'etcd has no quorum' },
      again('disruption_not_allowed: etcd has no quorum'),
    ],
    ['waits for a manager that is away', {}, AWAY],
    ['waits for one that goes away in between', { disruptionProblem: allowed }, AWAY],
    ['is nothing without a manager', null, done({ is_cordoned: false })],
  ])('%s', async (_what, manager, expected) => {
    expect(await cordon(work).run(labOf(work, {}, { manager }).context)).toEqual(expected);
  });

  test('marks the node with the operation and the attempt', async () => {
    const asked: unknown[] = [];
    const manager: Partial<ContainerManager> = {
      disruptionProblem: allowed,
      cordon: async (...args) => {
        asked.push(args);
        return 'cordoned';
      },
    };
    await cordon(work).run(labOf(work, {}, { manager }).context);
    expect(asked).toEqual([[HOST, 'hostler/op/2']]);
  });
});

describe('uncordoning', () => {
  const asked: unknown[] = [];
  const answering = (answer: 'uncordoned' | 'not_ours', report?: NodeReport): Partial<ContainerManager> => ({
    uncordon: async (...args) => {
      asked.push(args);
      return answer;
    },
    ...(report && { report: async () => report }),
  });
  const marked = (cordonedBy?: string): NodeReport => ({
    ...{ state: 'registered', name: 'n', ready: true, schedulable: cordonedBy === undefined },
    ...(cordonedBy !== undefined && { cordonedBy }),
  });
  const [FREE, LEFT] = [done({ still_cordoned: false }), done({ still_cordoned: true })];

  test.each<[string, Partial<ContainerManager> | null, boolean | undefined, Outcome, number]>([
    ['what we cordoned', answering('uncordoned'), true, FREE, 1],
    ['what we may have cordoned', answering('uncordoned'), undefined, FREE, 1],
    ['what others have marked since leaves it theirs', answering('not_ours', marked('other')), true, FREE, 1],
    ['what others have cordoned without a mark', answering('not_ours', marked('')), true, FREE, 1],
    ['what is schedulable by now', answering('not_ours', marked()), true, FREE, 1],
    ['what its manager does not know any more', answering('not_ours', { state: 'unknown' }), true, FREE, 1],
    [
      'what an attempt before has marked says that it is left',
      answering('not_ours', marked('hostler/op/1')),
      true,
      LEFT,
      1,
    ],
    [
      'waits for a manager that cannot say whose mark it is',
      answering('not_ours', { state: 'unavailable', reason: 'it is away' }),
      true,
      AWAY,
      1,
    ],
    ['waits for one that goes away in between', answering('not_ours'), true, AWAY, 1],
    ['leaves alone what was unschedulable before', answering('uncordoned'), false, FREE, 0],
    ['waits for a manager that is away', {}, true, AWAY, 0],
    ['is nothing without a manager', null, true, FREE, 0],
  ])('%s', async (_what, manager, is_cordoned, expected, calls) => {
    asked.length = 0;
    const progress = { done: is_cordoned === undefined ? {} : { cordon: { is_cordoned } } };
    const { context } = labOf(work, {}, { manager, progress });
    expect(await uncordon(work).run(context)).toEqual(expected);
    expect(asked).toEqual(Array.from({ length: calls }, () => [HOST, 'hostler/op/2']));
  });
});
