import { describe, expect, test } from 'vitest';
import { HOST, rolloutTask, stepFixture } from '../../../test/harness/rollout/step-fixtures.ts';
import type { ContainerManager, NodeReport } from '../../drivers/container-manager/container-manager.ts';
import { done, retry } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { cordon, uncordon } from './drain.ts';

const task = rolloutTask('restart');
const UNAVAILABLE = retry('container_manager: connection refused');

describe('cordon', () => {
  const allowed = async () => undefined;

  test.each<[string, Partial<ContainerManager> | null, Outcome]>([
    ['cordons the node', { checkDisruption: allowed, cordon: async () => 'cordoned' }, done({ is_cordoned: true })],
    [
      'leaves a node that another owner cordoned',
      { checkDisruption: allowed, cordon: async () => 'cordoned_by_other' },
      done({ is_cordoned: false }),
    ],
    [
      'retries while disruption is not allowed',
      { checkDisruption: async () => 'etcd has no quorum' },
      retry('disruption_not_allowed: etcd has no quorum'),
    ],
    ['retries when the manager is unavailable', {}, UNAVAILABLE],
    ['retries when the manager becomes unavailable between two calls', { checkDisruption: allowed }, UNAVAILABLE],
    ['does nothing without a manager', null, done({ is_cordoned: false })],
  ])('%s', async (_what, manager, expected) => {
    expect(await cordon.run(stepFixture(task, {}, { manager }).context)).toEqual(expected);
  });

  test('uses operation and attempt as the owner of the cordon', async () => {
    const managerCalls: unknown[] = [];
    const manager: Partial<ContainerManager> = {
      checkDisruption: allowed,
      cordon: async (...args) => {
        managerCalls.push(args);
        return 'cordoned';
      },
    };
    await cordon.run(stepFixture(task, {}, { manager }).context);
    expect(managerCalls).toEqual([[HOST, 'hostler/op/2']]);
  });
});

describe('uncordon', () => {
  const managerCalls: unknown[] = [];
  const managerReplying = (response: 'uncordoned' | 'not_owner', report?: NodeReport): Partial<ContainerManager> => ({
    uncordon: async (...args) => {
      managerCalls.push(args);
      return response;
    },
    ...(report && { report: async () => report }),
  });
  const cordonedNode = (cordonedBy?: string): NodeReport => ({
    ...{ state: 'registered', name: 'n', ready: true, schedulable: cordonedBy === undefined },
    ...(cordonedBy !== undefined && { cordonedBy }),
  });
  const [UNCORDONED, STILL_CORDONED] = [done({ still_cordoned: false }), done({ still_cordoned: true })];

  test.each<[string, Partial<ContainerManager> | null, boolean | undefined, Outcome, number]>([
    ['uncordons a node that this attempt cordoned', managerReplying('uncordoned'), true, UNCORDONED, 1],
    ['uncordons a node that this attempt may have cordoned', managerReplying('uncordoned'), undefined, UNCORDONED, 1],
    ['leaves a cordon of another owner', managerReplying('not_owner', cordonedNode('other')), true, UNCORDONED, 1],
    ['leaves a cordon without owner', managerReplying('not_owner', cordonedNode('')), true, UNCORDONED, 1],
    ['accepts a schedulable node', managerReplying('not_owner', cordonedNode()), true, UNCORDONED, 1],
    [
      'accepts a node that the manager does not know',
      managerReplying('not_owner', { state: 'unknown' }),
      true,
      UNCORDONED,
      1,
    ],
    [
      'reports a cordon of an earlier attempt',
      managerReplying('not_owner', cordonedNode('hostler/op/1')),
      true,
      STILL_CORDONED,
      1,
    ],
    [
      'retries when the manager cannot report the owner',
      managerReplying('not_owner', { state: 'unavailable', reason: 'connection refused' }),
      true,
      UNAVAILABLE,
      1,
    ],
    [
      'retries when the manager becomes unavailable between two calls',
      managerReplying('not_owner'),
      true,
      UNAVAILABLE,
      1,
    ],
    ['leaves a node that was unschedulable before', managerReplying('uncordoned'), false, UNCORDONED, 0],
    ['retries when the manager is unavailable', {}, true, UNAVAILABLE, 0],
    ['does nothing without a manager', null, true, UNCORDONED, 0],
  ])('%s', async (_what, manager, is_cordoned, expected, calls) => {
    managerCalls.length = 0;
    const state = { done: is_cordoned === undefined ? {} : { cordon: { is_cordoned } } };
    const { context } = stepFixture(task, {}, { manager, state });
    expect(await uncordon.run(context)).toEqual(expected);
    expect(managerCalls).toEqual(Array.from({ length: calls }, () => [HOST, 'hostler/op/2']));
  });
});
