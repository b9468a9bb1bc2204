// What our client counts on at an Engine that manages a swarm. It is held against the pretend one and against a real one, so that one
// misreading cannot be in both the client and the pretend one.

import { expect, test } from 'vitest';
import type { DockerClient } from '../../../src/integrations/docker/docker-client.ts';
import type { SwarmNode } from '../../../src/integrations/docker/docker-schemas.ts';

export interface EngineLab {
  /** Of a manager of a swarm with a worker that is ready and has one task, which runs. */
  manager(): DockerClient;
  /** Of a daemon that manages no swarm. */
  worker(): DockerClient;
}

export function engineConforms({ manager, worker }: EngineLab): void {
  async function nodeOf(role: 'worker' | 'manager'): Promise<SwarmNode> {
    const node = (await manager().listNodes()).find(({ Spec }) => Spec.Role === role);
    if (node === undefined) throw new Error(`there is no ${role}`);
    return node;
  }

  test('tells its version, and what it is in the swarm', async () => {
    expect((await manager().version()).Version).toMatch(/^\d+\./);
    const { Swarm } = await manager().info();
    const { ID } = await nodeOf('manager');
    expect(Swarm).toMatchObject({ LocalNodeState: 'active', ControlAvailable: true });
    expect(Swarm.RemoteManagers).toEqual([{ NodeID: ID, Addr: expect.stringMatching(/:2377$/) }]);
  });

  test('tells the token of workers, which shows nowhere', async () => {
    const token = await manager().workerToken();
    expect(token.reveal()).toMatch(/^SWMTKN-1-/);
    expect(String(token)).toBe('[secret]');
  });

  test('says that it manages no swarm, where that is so', async () => {
    expect((await worker().info()).Swarm).toMatchObject({ ControlAvailable: false });
    for (const ask of [() => worker().workerToken(), () => worker().listNodes()])
      await expect(ask()).rejects.toThrow(/rejected the request \(503\): the node is not a swarm manager$/);
  });

  test('tells how nodes are and where they are seen', async () => {
    expect(await nodeOf('worker')).toMatchObject({
      Spec: { Availability: 'active' },
      Description: { Hostname: expect.stringMatching(/./) },
      Status: { State: 'ready', Addr: expect.stringMatching(/^[\d.]+$/) },
      CreatedAt: expect.stringMatching(/^\d{4}-/),
    });
    expect((await nodeOf('worker')).ManagerStatus ?? null).toBeNull();
    expect((await nodeOf('manager')).ManagerStatus).toMatchObject({ Reachability: 'reachable' });
  });

  test('tells one node as it does all, and that there is none', async () => {
    const node = await nodeOf('worker');
    expect(await manager().getNode(node.ID)).toEqual(node);
    expect(await manager().getNode('nosuchnode')).toBeUndefined();
  });

  test('tells the tasks of a node', async () => {
    const tasks = await manager().listTasks(await nodeOf('worker'));
    expect(tasks).toMatchObject([{ DesiredState: 'running', Status: { State: 'running' } }]);
  });

  test('changes a node only from what it was read as', async () => {
    const before = await nodeOf('worker');
    const labels = { ...before.Spec, Labels: { theirs: 'kept' } };
    expect(await manager().updateNode(before, labels)).toBe('updated');
    expect(await manager().updateNode(before, { ...labels, Availability: 'pause' })).toBe('conflict');
    const after = await nodeOf('worker');
    expect(after.Spec).toMatchObject({ Availability: 'active', Labels: { theirs: 'kept' } });
    expect(await manager().updateNode(after, { ...after.Spec, Labels: {} })).toBe('updated');
  });

  test('changes no node that is gone, and need not remove it', async () => {
    const gone = { ...(await nodeOf('worker')), ID: 'nosuchnode' };
    expect(await manager().updateNode(gone, gone.Spec)).toBe('conflict');
    await expect(manager().removeNode(gone)).resolves.toBeUndefined();
  });

  test('does not remove a manager', async () => {
    const node = await nodeOf('manager');
    await expect(manager().removeNode(node)).rejects.toThrow(
      /rejected the request \(400\): the node is a manager; demote it first/,
    );
  });

  test('removes a worker that is up', async () => {
    await manager().removeNode(await nodeOf('worker'));
    expect((await manager().listNodes()).map(({ Spec }) => Spec.Role)).toEqual(['manager']);
  });
}
