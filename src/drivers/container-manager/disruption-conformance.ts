// Conformance suite for cordon, drain and disruption checks: only its owner removes a cordon, and all calls are
// idempotent.

import { expect, test } from 'vitest';
import { parseAddress } from '../../domain/addresses/address.ts';
import { cordonOwner } from '../../domain/rollout/operation-host.ts';
import type { ManagerFixture } from './conformance-fixture.ts';
import { NODE, nodeJoiner, OTHER } from './conformance-fixture.ts';
import type { ContainerManager } from './container-manager.ts';

const OWNER = cordonOwner('op', 1);

export function disruptionConforms<M extends ContainerManager>(fixture: ManagerFixture<M>): void {
  cordonsConform(fixture);
  otherCordonsConform(fixture);
  drainsConform(fixture);
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
}

function otherCordonsConform<M extends ContainerManager>(fixture: ManagerFixture<M>): void {
  const { openWithNode } = nodeJoiner(fixture);
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
