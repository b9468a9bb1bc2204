// Conformance suite for container managers: all calls are idempotent, and unknown nodes are reported as such.

import { describe, expect, test } from 'vitest';
import type { ManagerFixture } from './conformance-fixture.ts';
import { NODE, nodeJoiner, OTHER, V6 } from './conformance-fixture.ts';
import type { ContainerManager } from './container-manager.ts';
import { disruptionConforms } from './disruption-conformance.ts';

export function containerManagerConforms<M extends ContainerManager>(type: string, fixture: ManagerFixture<M>): void {
  describe(`container manager ${type}`, () => {
    nodesConform(fixture);
    disruptionConforms(fixture);
  });
}

function nodesConform<M extends ContainerManager>(fixture: ManagerFixture<M>): void {
  const { join, open } = nodeJoiner(fixture);

  test('reports no problems in the connection check', async () => {
    expect(await (await open()).checkConnection()).toEqual({ version: expect.any(String), problems: [] });
  });

  test('reports an unregistered node as unknown', async () => {
    expect(await (await open()).report(NODE)).toEqual({ state: 'unknown' });
  });

  test.each([NODE, V6])('reports %s as registered after it joins', async node => {
    const manager = await open();
    await join(manager, node);
    expect(await manager.report(node)).toMatchObject({
      state: 'registered',
      name: expect.stringMatching(/./),
      ready: expect.any(Boolean),
      schedulable: expect.any(Boolean),
    });
  });

  test('keeps the report of a node unchanged when it is registered twice', async () => {
    const manager = await open();
    await join(manager, NODE);
    const once = await manager.report(NODE);
    await join(manager, NODE);
    expect(await manager.report(NODE)).toEqual(once);
  });

  test('reports a removed node as unknown, also when it is removed twice', async () => {
    const manager = await open();
    await join(manager, NODE);
    await manager.remove(NODE);
    await manager.remove(NODE);
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
  });

  test('accepts the removal of an unknown node', async () => {
    await expect((await open()).remove(NODE)).resolves.toBeUndefined();
  });

  test('registers a removed node again', async () => {
    const manager = await open();
    await join(manager, NODE);
    await manager.remove(NODE);
    await join(manager, NODE);
    expect(await manager.report(NODE)).toMatchObject({ state: 'registered' });
  });

  test('does not affect other nodes when it removes a node', async () => {
    const manager = await open();
    await join(manager, NODE);
    await join(manager, OTHER);
    await manager.remove(NODE);
    expect(await manager.report(OTHER)).toMatchObject({ state: 'registered' });
  });
}
