// Behaviour of the Engine API that the Docker client depends on. It runs against the fake and a real Engine,
// so that both cannot share the same misunderstanding.

import { expect, test } from 'vitest';
import type { DockerClient } from '../../../src/integrations/docker/docker-client.ts';
import type { SwarmNode } from '../../../src/integrations/docker/docker-schemas.ts';

export interface EngineFixture {
  /** A manager of a swarm with a ready worker that runs one task. */
  manager(): DockerClient;
  /** A daemon that does not manage a swarm. */
  worker(): DockerClient;
}

export function testEngineConformance({ manager, worker }: EngineFixture): void {
  async function findNode(role: 'worker' | 'manager'): Promise<SwarmNode> {
    const node = (await manager().listNodes()).find(({ Spec }) => Spec.Role === role);
    if (node === undefined) throw new Error(`there is no ${role}`);
    return node;
  }

  test('reports its version and its role in the swarm', async () => {
    expect((await manager().version()).Version).toMatch(/^\d+\./);
    const { Swarm } = await manager().info();
    const { ID } = await findNode('manager');
    expect(Swarm).toMatchObject({ LocalNodeState: 'active', ControlAvailable: true });
    expect(Swarm.RemoteManagers).toEqual([{ NodeID: ID, Addr: expect.stringMatching(/:2377$/) }]);
  });

  test('returns the worker join token as a secret', async () => {
    const token = await manager().workerToken();
    expect(token.reveal()).toMatch(/^SWMTKN-1-/);
    expect(String(token)).toBe('[secret]');
  });

  test('rejects swarm requests on a node that is not a manager', async () => {
    expect((await worker().info()).Swarm).toMatchObject({ ControlAvailable: false });
    for (const request of [() => worker().workerToken(), () => worker().listNodes()])
      await expect(request()).rejects.toThrow(/rejected the request \(503\): the node is not a swarm manager$/);
  });

  test('reports state and address of the nodes', async () => {
    expect(await findNode('worker')).toMatchObject({
      Spec: { Availability: 'active' },
      Description: { Hostname: expect.stringMatching(/./) },
      Status: { State: 'ready', Addr: expect.stringMatching(/^[\d.]+$/) },
      CreatedAt: expect.stringMatching(/^\d{4}-/),
    });
    expect((await findNode('worker')).ManagerStatus ?? null).toBeNull();
    expect((await findNode('manager')).ManagerStatus).toMatchObject({ Reachability: 'reachable' });
  });

  test('returns a single node, and undefined for an unknown ID', async () => {
    const node = await findNode('worker');
    expect(await manager().getNode(node.ID)).toEqual(node);
    expect(await manager().getNode('nosuchnode')).toBeUndefined();
  });

  test('lists the tasks of a node', async () => {
    const tasks = await manager().listTasks(await findNode('worker'));
    expect(tasks).toMatchObject([{ DesiredState: 'running', Status: { State: 'running' } }]);
  });

  test('rejects an update with an outdated version', async () => {
    const before = await findNode('worker');
    const labels = { ...before.Spec, Labels: { theirs: 'kept' } };
    expect(await manager().updateNode(before, labels)).toBe('updated');
    expect(await manager().updateNode(before, { ...labels, Availability: 'pause' })).toBe('conflict');
    const after = await findNode('worker');
    expect(after.Spec).toMatchObject({ Availability: 'active', Labels: { theirs: 'kept' } });
    expect(await manager().updateNode(after, { ...after.Spec, Labels: {} })).toBe('updated');
  });

  test('reports a conflict for an update of a removed node, and ignores its removal', async () => {
    const gone = { ...(await findNode('worker')), ID: 'nosuchnode' };
    expect(await manager().updateNode(gone, gone.Spec)).toBe('conflict');
    await expect(manager().removeNode(gone)).resolves.toBeUndefined();
  });

  test('rejects the removal of a manager', async () => {
    const node = await findNode('manager');
    await expect(manager().removeNode(node)).rejects.toThrow(
      /rejected the request \(400\): the node is a manager; demote it first/,
    );
  });

  test('removes a worker that is up', async () => {
    await manager().removeNode(await findNode('worker'));
    expect((await manager().listNodes()).map(({ Spec }) => Spec.Role)).toEqual(['manager']);
  });
}
