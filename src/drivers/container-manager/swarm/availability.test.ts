import { describe, expect, test } from 'vitest';
import { swarmLab } from '../../../../test/harness/pretend-docker/swarm-lab.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';

const { nodes, open } = swarmLab();
const NODE = '127.0.0.1' as Address;
const OWNER = cordonOwner('one', 1);
const drain = (force = false) => open().drain(NODE, { force });

describe('a drain of a node that we have cordoned', () => {
  test('has the swarm end its tasks, and is over when they have ended', async () => {
    const node = nodes().add(NODE);
    const [first, second] = [nodes().run(node), nodes().run(node, 'starting')];
    await open().cordon(NODE, OWNER);
    const detail = `${first.ID} (running), ${second.ID} (starting); see docker node ps host-127.0.0.1`;
    for (const _ of ['once', 'twice'])
      expect(await drain()).toEqual({ state: 'draining', remaining: 2, detail });
    expect(node.Spec.Availability).toBe('drain');
    nodes().endTasks();
    expect(await drain()).toEqual({ state: 'drained' });
    expect(await open().uncordon(NODE, OWNER)).toBe('uncordoned');
    expect(node.Spec).toMatchObject({ Availability: 'active', Labels: {} });
  });

  test.each([
    ...['new', 'pending', 'assigned', 'accepted', 'preparing', 'ready', 'starting', 'running'].map(
      state => [state, 'draining'] as const,
    ),
    ...['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned'].map(
      state => [state, 'drained'] as const,
    ),
  ])('with a task that is %s is %s', async (state, outcome) => {
    nodes().run(nodes().add(NODE), state);
    await open().cordon(NODE, OWNER);
    expect(await drain(true)).toMatchObject({ state: outcome });
  });

  test('looks at no task of another node', async () => {
    nodes().add(NODE);
    nodes().run(nodes().add('127.0.0.2'));
    await open().cordon(NODE, OWNER);
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('does not wait for what nobody can tell of a node that is down', async () => {
    nodes().run(nodes().add(NODE, { state: 'down' }));
    await open().cordon(NODE, OWNER);
    await drain();
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('names only some of many tasks', async () => {
    const node = nodes().add(NODE);
    for (let count = 0; count < 7; count++) nodes().run(node);
    await open().cordon(NODE, OWNER);
    expect(await drain()).toMatchObject({
      remaining: 7,
      detail: expect.stringContaining('(running) and 2 more; see'),
    });
  });
});

describe('a drain of a node that others have cordoned', () => {
  test('pauses it again when its tasks are gone', async () => {
    const node = nodes().add(NODE, { availability: 'pause', labels: { theirs: 'kept' } });
    nodes().run(node);
    expect(await drain()).toMatchObject({ state: 'draining', remaining: 1 });
    expect(node.Spec.Availability).toBe('drain');
    expect(await open().report(NODE)).toMatchObject({ schedulable: false, cordonedBy: '' });
    expect(await open().cordon(NODE, OWNER)).toBe('cordoned_by_other');
    nodes().endTasks();
    for (const _ of ['once', 'twice']) expect(await drain()).toEqual({ state: 'drained' });
    expect(node.Spec).toMatchObject({ Availability: 'pause', Labels: { theirs: 'kept' } });
  });

  test.each(['pause', 'drain'])(
    'changes nothing where there is no task and it is in %s',
    async availability => {
      const node = nodes().add(NODE, { availability });
      const before = structuredClone(node);
      expect(await drain()).toEqual({ state: 'drained' });
      expect(node).toEqual(before);
    },
  );

  test('waits for the tasks of one that they drain, and leaves it in drain', async () => {
    const node = nodes().add(NODE, { availability: 'drain' });
    nodes().run(node, 'running', 'shutdown');
    expect(await drain()).toMatchObject({ state: 'draining' });
    nodes().endTasks();
    expect(await drain()).toEqual({ state: 'drained' });
    expect(node.Spec.Availability).toBe('drain');
  });

  test('leaves no label to a cordon of ours', async () => {
    const node = nodes().add(NODE, { availability: 'pause' });
    nodes().run(node);
    await drain();
    nodes().touch(node, { Availability: 'active' });
    await open().cordon(NODE, OWNER);
    expect(node.Spec.Labels).toEqual({ 'hostler.cordoned-by': OWNER });
  });
});

test('a drain of a node that is active is refused', async () => {
  nodes().add(NODE);
  expect(await drain(true)).toEqual({
    state: 'refused',
    detail: 'the node host-127.0.0.1 of the swarm was set to active by someone else',
  });
});
