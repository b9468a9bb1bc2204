import { describe, expect, test } from 'vitest';
import { PretendSwarm } from '../../../../test/harness/pretend-docker/pretend-swarm.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { addressOf, nodeAt } from './node-at.ts';

const NODE = '10.0.0.1' as Address;

describe('the address of a node', () => {
  test.each([
    ['a worker', '10.0.0.1', undefined, '10.0.0.1'],
    ['a worker with IPv4 in IPv6', '::ffff:10.0.0.1', undefined, '10.0.0.1'],
    ['a worker with IPv6 written at length', 'FD00:0::0001', undefined, 'fd00::1'],
    ['a worker on this machine', '127.0.0.5', undefined, '127.0.0.5'],
    ['a manager that others see', '10.0.0.1', '10.0.9.9', '10.0.0.1'],
    ['a manager that sees itself everywhere', '0.0.0.0', '10.0.0.1', '10.0.0.1'],
    ['a manager that sees itself from within', '127.0.0.1', '10.0.0.1', '10.0.0.1'],
    ['a manager with IPv6 that sees itself', '::1', 'fd00::1', 'fd00::1'],
    ['a manager that nobody sees', '', '10.0.0.1', '10.0.0.1'],
    ['a worker that nobody sees', '', undefined, undefined],
    ['a worker that is seen by a name', 'worker', undefined, undefined],
  ])('%s that is seen at %j and manages at %j', (_what, seenAt, manages, address) => {
    const wish = manages === undefined ? {} : { reachability: 'reachable' };
    expect(addressOf(new PretendSwarm().add(manages ?? seenAt, { ...wish, seenAt }))).toBe(address);
  });

  test('one of which nothing is told yet has none', () => {
    expect(addressOf({ ID: 'a', Version: { Index: 1 }, Spec: {} })).toBeUndefined();
  });
});

describe('of nodes with one address', () => {
  /** Their states in the order in which they came, the one that is meant, and the ghosts. */
  test.each([
    [['ready'], 0, []],
    [['down'], 0, []],
    [['down', 'ready'], 1, [0]],
    [['ready', 'down'], 0, [1]],
    [['down', 'down'], 1, [0]],
    [['down', 'unknown', 'down'], 1, [2, 0]],
    [['ready', 'ready'], 1, []],
    [['ready', 'unknown'], 0, []],
    [['disconnected', 'down'], 0, [1]],
  ])('that came as %j, the one is %d and its ghosts are %j', (states, one, ghosts) => {
    const swarm = new PretendSwarm();
    const nodes = states.map(state => swarm.add(NODE, { name: 'web', state }));
    expect(nodeAt(nodes, NODE)).toEqual({ node: nodes[one], ghosts: ghosts.map(index => nodes[index]) });
  });

  test('what is down under another name is nobody’s ghost', () => {
    const swarm = new PretendSwarm();
    swarm.add(NODE, { name: 'old', state: 'down' });
    const node = swarm.add(NODE, { name: 'new' });
    expect(nodeAt(swarm.nodes, NODE)).toEqual({ node, ghosts: [] });
  });

  test('a manager is nobody’s ghost', () => {
    const swarm = new PretendSwarm();
    swarm.add(NODE, { name: 'web', state: 'down', reachability: 'unreachable' });
    const node = swarm.add(NODE, { name: 'web' });
    expect(nodeAt(swarm.nodes, NODE)).toEqual({ node, ghosts: [] });
  });

  test('two that are up under different names are told by throwing', () => {
    const swarm = new PretendSwarm();
    swarm.add(NODE, { name: 'one' });
    swarm.add(NODE, { name: 'two', state: 'disconnected' });
    expect(() => nodeAt(swarm.nodes, NODE)).toThrow(/one and two both have the address 10\.0\.0\.1/);
  });
});
