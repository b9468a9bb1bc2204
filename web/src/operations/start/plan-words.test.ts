import { describe, expect, test } from 'vitest';
import { problemsOf, startWords, troubleWords } from './plan-words.ts';
import type { Plan } from './put-operation.ts';

type Host = Plan['hosts'][number];

const host = (address: string, problem?: string): Host => ({
  ...{ address, position: 0, control_plane: false, state: { status: 'active', os: 'debian' }, commands: [] },
  ...(problem !== undefined && { problem }),
});

const planOf = (hosts: readonly Host[]): Pick<Plan, 'kind' | 'hosts'> => ({
  kind: 'restart',
  hosts: [...hosts],
});

describe('a plan in words', () => {
  test.each<[readonly Host[], string, string, readonly (readonly string[])[]]>([
    [[], 'Start restart of 0 hosts', '', []],
    [[host('::1')], 'Start restart of 1 host', '', []],
    [
      [host('::1', 'a'), host('::2', 'b'), host('::3'), host('::4', 'b')],
      'Start restart of 1 of 4 hosts',
      '3 of 4 hosts would fail, or be left alone',
      [
        ['b', '::2', '::4'],
        ['a', '::1'],
      ],
    ],
  ])('%#', (hosts, start, trouble, problems) => {
    const plan = planOf(hosts);
    expect(startWords(plan)).toBe(start);
    expect(troubleWords(plan)).toBe(trouble);
    expect(problemsOf(plan).map(({ problem, addresses }) => [problem, ...addresses])).toEqual(problems);
  });
});
