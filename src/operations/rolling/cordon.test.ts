import { describe, expect, test } from 'vitest';
import type { ContainerManager } from '../../drivers/container-manager/container-manager.ts';
import { again, done, failed } from '../outcomes.ts';
import type { Outcome } from '../step.ts';
import { cordon, uncordon } from './cordon.ts';
import { HOST, labOf, workToRoll } from './rolling-lab.ts';

const work = workToRoll('restart');
const SILENT = failed('container_manager: m is a any, which cannot be asked yet');
const AWAY = again('container_manager: it is away');

describe('cordoning', () => {
  const allowed = async () => undefined;

  test.each<[string, Partial<ContainerManager> | null | 'silent', Outcome]>([
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
      again('not_now: etcd has no quorum'),
    ],
    ['waits for a manager that is away', {}, AWAY],
    ['waits for one that goes away in between', { disruptionProblem: allowed }, AWAY],
    ['is nothing without a manager', null, done({ is_cordoned: false })],
    ['fails with one that cannot be asked', 'silent', SILENT],
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
  const answering = (answer: 'uncordoned' | 'not_ours'): Partial<ContainerManager> => ({
    uncordon: async (...args) => {
      asked.push(args);
      return answer;
    },
  });

  test.each<[string, Partial<ContainerManager> | null | 'silent', boolean | undefined, Outcome, number]>([
    ['what we cordoned', answering('uncordoned'), true, done({ is_uncordoned: true }), 1],
    ['what we may have cordoned', answering('uncordoned'), undefined, done({ is_uncordoned: true }), 1],
    [
      'what is marked by others since leaves it theirs',
      answering('not_ours'),
      true,
      done({ is_uncordoned: true }),
      1,
    ],
    [
      'leaves alone what was unschedulable before',
      answering('uncordoned'),
      false,
      done({ is_uncordoned: false }),
      0,
    ],
    ['waits for a manager that is away', {}, true, AWAY, 0],
    ['is nothing without a manager', null, true, done({ is_uncordoned: false }), 0],
    ['is nothing with one that cannot be asked', 'silent', true, done({ is_uncordoned: false }), 0],
  ])('%s', async (_what, manager, is_cordoned, expected, calls) => {
    asked.length = 0;
    const progress = { done: is_cordoned === undefined ? {} : { cordon: { is_cordoned } } };
    const { context } = labOf(work, {}, { manager, progress });
    expect(await uncordon(work).run(context)).toEqual(expected);
    expect(asked).toEqual(Array.from({ length: calls }, () => [HOST, 'hostler/op/2']));
  });
});
