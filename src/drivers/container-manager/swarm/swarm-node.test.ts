import { expect, test } from 'vitest';
import { FakeSwarm } from '../../../../test/harness/fake-docker/fake-swarm.ts';
import { checkQuorum } from './swarm-node.ts';

const [up, down] = ['reachable', 'unreachable'];

test.each([
  ['the only manager', [up], undefined],
  ['one of two', [up, up], undefined],
  ['one of three reachable managers', [up, up, up], undefined],
  ['one of three with one unreachable', [up, up, down], /only 1 of 3 swarm managers .* 2 are needed/],
  ['an unreachable manager', [down, up, up], undefined],
  ['one of four with one unreachable', [up, up, up, down], /only 2 of 4 swarm managers .* 3 are needed/],
  ['one of five with one unreachable', [up, up, up, up, down], undefined],
  ['one of five with two unreachable', [up, up, up, down, down], /only 2 of 5 swarm managers .* 3 are needed/],
])('quorum check reports a problem only if the majority would be lost: %s', (_label, managers, problem) => {
  const swarm = new FakeSwarm();
  const [node] = managers.map((reachability, index) =>
    swarm.add(`10.0.0.${index}`, { reachability: reachability ?? '' }),
  );
  swarm.add('10.0.1.1');
  const found = node && checkQuorum(swarm.nodes, node);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});

test('quorum check allows the disruption of a worker', () => {
  const swarm = new FakeSwarm();
  for (const reachability of [up, down, down]) swarm.add('10.0.0.1', { reachability: reachability ?? '' });
  expect(checkQuorum(swarm.nodes, swarm.add('10.0.1.1'))).toBeUndefined();
});
