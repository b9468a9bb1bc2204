// What must hold for every container manager: each call may be repeated, and a stranger is told from a node.

import { describe, expect, test } from 'vitest';
import type { ManagerFixture } from './conformance-fixture.ts';
import { NODE, nodeJoiner, OTHER, V6 } from './conformance-fixture.ts';
import type { ContainerManager } from './container-manager.ts';
import { disruptionConforms } from './disruption-conformance.ts';

export function containerManagerConforms<M extends ContainerManager>(
  type: string,
  fixture: ManagerFixture<M>,
): void {
  describe(`the container manager ${type}`, () => {
    nodesConform(fixture);
    disruptionConforms(fixture);
  });
}

function nodesConform<M extends ContainerManager>(fixture: ManagerFixture<M>): void {
  const { enter, open } = nodeJoiner(fixture);

  test('finds nothing wrong when it is asked whether all is well', async () => {
    expect(await (await open()).checkConnection()).toEqual({ version: expect.any(String), problems: [] });
  });

  test('does not know a node that was never registered', async () => {
    expect(await (await open()).report(NODE)).toEqual({ state: 'unknown' });
  });

  test.each([NODE, V6])('reports %s once it is registered', async node => {
    const manager = await open();
    await enter(manager, node);
    expect(await manager.report(node)).toMatchObject({
      state: 'registered',
      name: expect.stringMatching(/./),
      ready: expect.any(Boolean),
      schedulable: expect.any(Boolean),
    });
  });

  test('registers a node twice as it does once', async () => {
    const manager = await open();
    await enter(manager, NODE);
    const once = await manager.report(NODE);
    await enter(manager, NODE);
    expect(await manager.report(NODE)).toEqual(once);
  });

  test('does not know a node any more once it is removed, which may be repeated', async () => {
    const manager = await open();
    await enter(manager, NODE);
    await manager.remove(NODE);
    await manager.remove(NODE);
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
  });

  test('removes a node that it never knew', async () => {
    await expect((await open()).remove(NODE)).resolves.toBeUndefined();
  });

  test('takes a removed node back', async () => {
    const manager = await open();
    await enter(manager, NODE);
    await manager.remove(NODE);
    await enter(manager, NODE);
    expect(await manager.report(NODE)).toMatchObject({ state: 'registered' });
  });

  test('touches no other node', async () => {
    const manager = await open();
    await enter(manager, NODE);
    await enter(manager, OTHER);
    await manager.remove(NODE);
    expect(await manager.report(OTHER)).toMatchObject({ state: 'registered' });
  });
}
