// Conformance suite for container managers: all calls are idempotent, unknown nodes are reported as such, and only its
// owner removes a cordon.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { parseAddress } from '../../src/domain/addresses/address.ts';
import { cordonOwner } from '../../src/domain/rollout/operation-host.ts';
import type { ContainerManager } from '../../src/drivers/container-manager/container-manager.ts';

const NODE = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;
const V6 = '::1' as Address;

export interface ManagerFixture<M extends ContainerManager> {
  open(): M | Promise<M>;
  /** Simulates a host that has run its join plan and appears as a node. Undefined if hosts run no commands to join. */
  join?(manager: M, node: Address): Promise<unknown>;
  /** Cordons a node without a Hostler owner, as an administrator does. Undefined if only Hostler can cordon nodes. */
  cordonByHand?(manager: M, node: Address): Promise<unknown>;
}

/** Joins hosts to a container manager in the same order of calls as the engine. */
function nodeJoiner<M extends ContainerManager>(fixture: ManagerFixture<M>) {
  const join = async (manager: M, node: Address): Promise<void> => {
    const host = { address: node, hostname: `host-${node.replaceAll(/[.:]+/g, '-')}` };
    if ((await manager.report(node)).state === 'unknown') {
      await manager.joinPlan(host);
      await fixture.join?.(manager, node);
    }
    const problem = await manager.register(host);
    if (problem !== undefined) throw new Error(problem);
  };
  return {
    join,
    open: async () => fixture.open(),
    openWithNode: async () => {
      const manager = await fixture.open();
      await join(manager, NODE);
      return manager;
    },
  };
}

const OWNER = cordonOwner('op', 1);

export function containerManagerConforms<M extends ContainerManager>(type: string, fixture: ManagerFixture<M>): void {
  describe(`container manager ${type}`, () => {
    nodesConform(fixture);
    cordonsConform(fixture);
    drainsConform(fixture);
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

async function describeCordon(manager: ContainerManager, node = NODE) {
  const report = await manager.report(node);
  if (report.state !== 'registered') return report.state;
  return report.schedulable ? 'schedulable' : `cordoned by ${report.cordonedBy}`;
}

function cordonsConform<M extends ContainerManager>(fixture: ManagerFixture<M>): void {
  const { join, open, openWithNode } = nodeJoiner(fixture);

  test('cordons a node for its owner, also when repeated', async () => {
    const manager = await openWithNode();
    expect(await describeCordon(manager)).toBe('schedulable');
    for (const _ of ['once', 'twice']) {
      expect(await manager.cordon(NODE, OWNER)).toBe('cordoned');
      expect(await describeCordon(manager)).toBe(`cordoned by ${OWNER}`);
    }
  });

  test('uncordons a node for its owner, also when repeated', async () => {
    const manager = await openWithNode();
    await manager.cordon(NODE, OWNER);
    for (const _ of ['once', 'twice']) {
      expect(await manager.uncordon(NODE, OWNER)).toBe('uncordoned');
      expect(await describeCordon(manager)).toBe('schedulable');
    }
    expect(await manager.report(NODE)).not.toHaveProperty('cordonedBy');
  });

  test.each([cordonOwner('op', 2), cordonOwner('other', 1)])(
    'transfers a cordon from another Hostler owner to %s',
    async newOwner => {
      const manager = await openWithNode();
      await manager.cordon(NODE, OWNER);
      expect(await manager.cordon(NODE, newOwner)).toBe('cordoned');
      expect(await manager.uncordon(NODE, OWNER)).toBe('not_owner');
      expect(await describeCordon(manager)).toBe(`cordoned by ${newOwner}`);
      expect(await manager.uncordon(NODE, newOwner)).toBe('uncordoned');
      expect(await describeCordon(manager)).toBe('schedulable');
    },
  );

  test.each(['first', 'last'])(
    'keeps the cordon when it is transferred while the previous owner uncordons, with cordon called %s',
    async order => {
      const manager = await openWithNode();
      const newOwner = cordonOwner('op', 2);
      await manager.cordon(NODE, OWNER);
      const calls = [() => manager.cordon(NODE, newOwner), () => manager.uncordon(NODE, OWNER)];
      if (order === 'last') calls.reverse();
      await Promise.all(calls.map(call => call()));
      expect(await describeCordon(manager)).toBe(`cordoned by ${newOwner}`);
    },
  );

  test('does not cordon or uncordon other nodes', async () => {
    const manager = await openWithNode();
    await join(manager, OTHER);
    await manager.cordon(NODE, OWNER);
    expect(await describeCordon(manager, OTHER)).toBe('schedulable');
    await manager.cordon(OTHER, OWNER);
    await manager.uncordon(NODE, OWNER);
    expect(await describeCordon(manager, OTHER)).toBe(`cordoned by ${OWNER}`);
  });

  test('keeps the cordon of a node that is registered again', async () => {
    const manager = await openWithNode();
    await manager.cordon(NODE, OWNER);
    await join(manager, NODE);
    expect(await describeCordon(manager)).toBe(`cordoned by ${OWNER}`);
  });

  test('discards the cordon of a removed node', async () => {
    const manager = await openWithNode();
    await manager.cordon(NODE, OWNER);
    await manager.remove(NODE);
    await join(manager, NODE);
    expect(await describeCordon(manager)).toBe('schedulable');
  });

  test('names the unknown node when cordon fails', async () => {
    const manager = await open();
    await expect(manager.cordon(NODE, OWNER)).rejects.toThrow(NODE);
    expect(await manager.uncordon(NODE, OWNER)).toBe('not_owner');
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
  });

  if (fixture.cordonByHand === undefined) return;

  test('leaves a node unchanged that is cordoned by others', async () => {
    const manager = await openWithNode();
    await fixture.cordonByHand?.(manager, NODE);
    const before = await manager.report(NODE);
    expect(before).toMatchObject({ schedulable: false, cordonedBy: expect.not.stringContaining('hostler/') });
    for (const _ of ['once', 'twice']) {
      expect(await manager.cordon(NODE, OWNER)).toBe('cordoned_by_other');
      expect(await manager.uncordon(NODE, OWNER)).toBe('not_owner');
      expect(await manager.report(NODE)).toEqual(before);
    }
  });
}

function drainsConform<M extends ContainerManager>(fixture: ManagerFixture<M>): void {
  const { open, openWithNode } = nodeJoiner(fixture);

  test.each([false, true])('drains an empty node immediately, also when repeated, with force %s', async force => {
    const manager = await openWithNode();
    await manager.cordon(NODE, OWNER);
    for (const _ of ['once', 'twice']) expect(await manager.drain(NODE, { force })).toEqual({ state: 'drained' });
    expect(await describeCordon(manager)).toBe(`cordoned by ${OWNER}`);
  });

  test('names the unknown node when drain fails', async () => {
    await expect((await open()).drain(NODE, { force: false })).rejects.toThrow(NODE);
  });

  test('names the unknown node when the disruption check fails', async () => {
    await expect((await open()).checkDisruption(NODE)).rejects.toThrow(NODE);
  });

  test('allows the disruption of a healthy node', async () => {
    expect(await (await openWithNode()).checkDisruption(NODE)).toBeUndefined();
  });

  test('returns the same control plane addresses on each call', async () => {
    const manager = await openWithNode();
    const addresses = await manager.controlPlane();
    expect(addresses.map(parseAddress)).toEqual(addresses);
    expect(await manager.controlPlane()).toEqual(addresses);
  });
}
