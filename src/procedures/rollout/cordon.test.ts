import { describe, expect, test } from 'vitest';
import type { ContainerManager, NodeReport } from '../../drivers/container-manager/container-manager.ts';
import { done, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { cordon, uncordon } from './drain.ts';
import { HOST, rolloutTask, stepFixture } from './step-fixtures.ts';

const task = rolloutTask('restart');
const UNAVAILABLE = retry('container_manager: it is away');

describe('cordoning', () => {
  const allowed = async () => undefined;

  test.each<[string, Partial<ContainerManager> | null, Outcome]>([
    [
      'a node under our mark',
      { checkDisruption: allowed, cordon: async () => 'cordoned' },
      done({ is_cordoned: true }),
    ],
    [
      'one that others have cordoned leaves it theirs',
      { checkDisruption: allowed, cordon: async () => 'cordoned_by_other' },
      done({ is_cordoned: false }),
    ],
    [
      'waits while it may not be disturbed',
      { checkDisruption: async () => 'etcd has no quorum' },
      retry('disruption_not_allowed: etcd has no quorum'),
    ],
    ['waits for a manager that is away', {}, UNAVAILABLE],
    ['waits for one that goes away in between', { checkDisruption: allowed }, UNAVAILABLE],
    ['is nothing without a manager', null, done({ is_cordoned: false })],
  ])('%s', async (_what, manager, expected) => {
    expect(await cordon(task).run(stepFixture(task, {}, { manager }).context)).toEqual(expected);
  });

  test('marks the node with the operation and the attempt', async () => {
    const managerCalls: unknown[] = [];
    const manager: Partial<ContainerManager> = {
      checkDisruption: allowed,
      cordon: async (...args) => {
        managerCalls.push(args);
        return 'cordoned';
      },
    };
    await cordon(task).run(stepFixture(task, {}, { manager }).context);
    expect(managerCalls).toEqual([[HOST, 'hostler/op/2']]);
  });
});

describe('uncordoning', () => {
  const managerCalls: unknown[] = [];
  const managerReplying = (
    answer: 'uncordoned' | 'not_owner',
    report?: NodeReport,
  ): Partial<ContainerManager> => ({
    uncordon: async (...args) => {
      managerCalls.push(args);
      return answer;
    },
    ...(report && { report: async () => report }),
  });
  const cordonedNode = (cordonedBy?: string): NodeReport => ({
    ...{ state: 'registered', name: 'n', ready: true, schedulable: cordonedBy === undefined },
    ...(cordonedBy !== undefined && { cordonedBy }),
  });
  const [FREE, LEFT] = [done({ still_cordoned: false }), done({ still_cordoned: true })];

  test.each<[string, Partial<ContainerManager> | null, boolean | undefined, Outcome, number]>([
    ['what we cordoned', managerReplying('uncordoned'), true, FREE, 1],
    ['what we may have cordoned', managerReplying('uncordoned'), undefined, FREE, 1],
    [
      'what others have marked since leaves it theirs',
      managerReplying('not_owner', cordonedNode('other')),
      true,
      FREE,
      1,
    ],
    [
      'what others have cordoned without a mark',
      managerReplying('not_owner', cordonedNode('')),
      true,
      FREE,
      1,
    ],
    ['what is schedulable by now', managerReplying('not_owner', cordonedNode()), true, FREE, 1],
    [
      'what its manager does not know any more',
      managerReplying('not_owner', { state: 'unknown' }),
      true,
      FREE,
      1,
    ],
    [
      'what an attempt before has marked says that it is left',
      managerReplying('not_owner', cordonedNode('hostler/op/1')),
      true,
      LEFT,
      1,
    ],
    [
      'waits for a manager that cannot say whose mark it is',
      managerReplying('not_owner', { state: 'unavailable', reason: 'it is away' }),
      true,
      UNAVAILABLE,
      1,
    ],
    ['waits for one that goes away in between', managerReplying('not_owner'), true, UNAVAILABLE, 1],
    ['leaves alone what was unschedulable before', managerReplying('uncordoned'), false, FREE, 0],
    ['waits for a manager that is away', {}, true, UNAVAILABLE, 0],
    ['is nothing without a manager', null, true, FREE, 0],
  ])('%s', async (_what, manager, is_cordoned, expected, calls) => {
    managerCalls.length = 0;
    const state = { done: is_cordoned === undefined ? {} : { cordon: { is_cordoned } } };
    const { context } = stepFixture(task, {}, { manager, state });
    expect(await uncordon(task).run(context)).toEqual(expected);
    expect(managerCalls).toEqual(Array.from({ length: calls }, () => [HOST, 'hostler/op/2']));
  });
});
