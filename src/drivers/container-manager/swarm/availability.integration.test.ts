import { describe, expect, test } from 'vitest';
import { swarmFixture } from '../../../../test/harness/fake-docker/swarm-fixtures.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';

const { swarm, open } = swarmFixture();
const NODE = '127.0.0.1' as Address;
const OWNER = cordonOwner('op', 1);
const drain = (force = false) => open().drain(NODE, { force });

describe('swarm drain of a node cordoned by Hostler', () => {
  test('stops the tasks and completes when they have ended', async () => {
    const node = swarm().add(NODE);
    const [first, second] = [swarm().addTask(node), swarm().addTask(node, 'starting')];
    await open().cordon(NODE, OWNER);
    const detail = `${first.ID} (running), ${second.ID} (starting); see docker node ps host-127.0.0.1`;
    for (const _ of ['once', 'twice']) expect(await drain()).toEqual({ state: 'draining', remaining: 2, detail });
    expect(node.Spec.Availability).toBe('drain');
    swarm().endTasks();
    expect(await drain()).toEqual({ state: 'drained' });
    expect(await open().uncordon(NODE, OWNER)).toBe('uncordoned');
    expect(node.Spec).toMatchObject({ Availability: 'active', Labels: {} });
  });

  test.each([
    ...['new', 'pending', 'assigned', 'accepted', 'preparing', 'ready', 'starting', 'running'].map(
      state => [state, 'draining'] as const,
    ),
    ...['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned'].map(state => [state, 'drained'] as const),
  ])('reports a node with a task in state %s as %s', async (state, outcome) => {
    swarm().addTask(swarm().add(NODE), state);
    await open().cordon(NODE, OWNER);
    expect(await drain(true)).toMatchObject({ state: outcome });
  });

  test('ignores tasks of other nodes', async () => {
    swarm().add(NODE);
    swarm().addTask(swarm().add('127.0.0.2'));
    await open().cordon(NODE, OWNER);
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('does not wait for the tasks of a node that is down', async () => {
    swarm().addTask(swarm().add(NODE, { state: 'down' }));
    await open().cordon(NODE, OWNER);
    await drain();
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('lists only some of many tasks', async () => {
    const node = swarm().add(NODE);
    for (let count = 0; count < 7; count++) swarm().addTask(node);
    await open().cordon(NODE, OWNER);
    expect(await drain()).toMatchObject({
      remaining: 7,
      detail: expect.stringContaining('(running) and 2 more; see'),
    });
  });
});

describe('swarm drain of a node cordoned by others', () => {
  test('restores pause when its tasks are gone', async () => {
    const node = swarm().add(NODE, { availability: 'pause', labels: { other: 'kept' } });
    swarm().addTask(node);
    expect(await drain()).toMatchObject({ state: 'draining', remaining: 1 });
    expect(node.Spec.Availability).toBe('drain');
    expect(await open().report(NODE)).toMatchObject({ schedulable: false, cordonedBy: '' });
    expect(await open().cordon(NODE, OWNER)).toBe('cordoned_by_other');
    swarm().endTasks();
    for (const _ of ['once', 'twice']) expect(await drain()).toEqual({ state: 'drained' });
    expect(node.Spec).toMatchObject({ Availability: 'pause', Labels: { other: 'kept' } });
  });

  test.each(['pause', 'drain'])('changes nothing without tasks and with availability %s', async availability => {
    const node = swarm().add(NODE, { availability });
    const before = structuredClone(node);
    expect(await drain()).toEqual({ state: 'drained' });
    expect(node).toEqual(before);
  });

  test('waits for tasks of a node that others drain, and keeps it in drain', async () => {
    const node = swarm().add(NODE, { availability: 'drain' });
    swarm().addTask(node, 'running', 'shutdown');
    expect(await drain()).toMatchObject({ state: 'draining' });
    swarm().endTasks();
    expect(await drain()).toEqual({ state: 'drained' });
    expect(node.Spec.Availability).toBe('drain');
  });

  test('leaves no label for a later Hostler cordon', async () => {
    const node = swarm().add(NODE, { availability: 'pause' });
    swarm().addTask(node);
    await drain();
    swarm().touch(node, { Availability: 'active' });
    await open().cordon(NODE, OWNER);
    expect(node.Spec.Labels).toEqual({ 'hostler.cordoned-by': OWNER });
  });
});

test('swarm drain of an active node is refused', async () => {
  swarm().add(NODE);
  expect(await drain(true)).toEqual({
    state: 'refused',
    detail: 'the node host-127.0.0.1 of the swarm was set to active by someone else',
  });
});
