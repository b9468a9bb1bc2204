import { expect, test } from 'vitest';
import { PretendSwarm } from '../../../../test/harness/pretend-docker/pretend-swarm.ts';
import { checkQuorum } from './swarm-node.ts';

const [up, away] = ['reachable', 'unreachable'];

test.each([
  ['the only manager', [up], undefined],
  ['one of two', [up, up], undefined],
  ['one of three that are there', [up, up, up], undefined],
  ['one of three, of which one is away', [up, up, away], /only 1 of 3 swarm managers .* 2 are needed/],
  ['one that is away itself', [away, up, up], undefined],
  ['one of four, of which one is away', [up, up, up, away], /only 2 of 4 swarm managers .* 3 are needed/],
  ['one of five, of which one is away', [up, up, up, up, away], undefined],
  [
    'one of five, of which two are away',
    [up, up, up, away, away],
    /only 2 of 5 swarm managers .* 3 are needed/,
  ],
])('%s', (_what, managers, problem) => {
  const swarm = new PretendSwarm();
  const [node] = managers.map((reachability, index) =>
    swarm.add(`10.0.0.${index}`, { reachability: reachability ?? '' }),
  );
  swarm.add('10.0.1.1');
  const found = node && checkQuorum(swarm.nodes, node);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});

test('a worker is never missed', () => {
  const swarm = new PretendSwarm();
  for (const reachability of [up, away, away]) swarm.add('10.0.0.1', { reachability: reachability ?? '' });
  expect(checkQuorum(swarm.nodes, swarm.add('10.0.1.1'))).toBeUndefined();
});
