// What must hold when a node is taken out of service for a while: a cordon is undone by nobody but who made it, and each call may be
// repeated.

import { expect, test } from 'vitest';
import { parseAddress } from '../../domain/addresses/address.ts';
import { cordonOwner } from '../../domain/rollout/operation-host.ts';
import type { ManagerFixture } from './conformance-fixture.ts';
import { NODE, nodeJoiner, OTHER } from './conformance-fixture.ts';
import type { ContainerManager } from './container-manager.ts';

const OWNER = cordonOwner('one', 1);

/** Part of the conformance suite of container managers. */
export function disruptionConforms<M extends ContainerManager>(fixture: ManagerFixture<M>): void {
  cordonsConform(fixture);
  otherCordonsConform(fixture);
  drainsConform(fixture);
}

/** Whether a node can be scheduled to, and by whose mark not. */
async function describeCordon(manager: ContainerManager, node = NODE) {
  const report = await manager.report(node);
  if (report.state !== 'registered') return report.state;
  return report.schedulable ? 'schedulable' : `cordoned by ${report.cordonedBy}`;
}

function cordonsConform<M extends ContainerManager>(fixture: ManagerFixture<M>): void {
  const { enter, open, openWithNode } = nodeJoiner(fixture);

  test('cordons a node under our mark, which may be repeated', async () => {
    const manager = await openWithNode();
    expect(await describeCordon(manager)).toBe('schedulable');
    for (const _ of ['once', 'twice']) {
      expect(await manager.cordon(NODE, OWNER)).toBe('cordoned');
      expect(await describeCordon(manager)).toBe(`cordoned by ${OWNER}`);
    }
  });

  test('uncordons a node by the mark that is on it, which may be repeated', async () => {
    const manager = await openWithNode();
    await manager.cordon(NODE, OWNER);
    for (const _ of ['once', 'twice']) {
      expect(await manager.uncordon(NODE, OWNER)).toBe('uncordoned');
      expect(await describeCordon(manager)).toBe('schedulable');
    }
    expect(await manager.report(NODE)).not.toHaveProperty('cordonedBy');
  });

  test.each([cordonOwner('one', 2), cordonOwner('two', 1)])(
    'takes a cordon of ours over for %s',
    async later => {
      const manager = await openWithNode();
      await manager.cordon(NODE, OWNER);
      expect(await manager.cordon(NODE, later)).toBe('cordoned');
      expect(await manager.uncordon(NODE, OWNER)).toBe('not_owner');
      expect(await describeCordon(manager)).toBe(`cordoned by ${later}`);
      expect(await manager.uncordon(NODE, later)).toBe('uncordoned');
      expect(await describeCordon(manager)).toBe('schedulable');
    },
  );

  test.each(['first', 'last'])(
    'does not undo a cordon that is taken over at the same moment, %s',
    async when => {
      const manager = await openWithNode();
      const later = cordonOwner('one', 2);
      await manager.cordon(NODE, OWNER);
      const calls = [() => manager.cordon(NODE, later), () => manager.uncordon(NODE, OWNER)];
      if (when === 'last') calls.reverse();
      await Promise.all(calls.map(call => call()));
      expect(await describeCordon(manager)).toBe(`cordoned by ${later}`);
    },
  );

  test('cordons and uncordons no other node', async () => {
    const manager = await openWithNode();
    await enter(manager, OTHER);
    await manager.cordon(NODE, OWNER);
    expect(await describeCordon(manager, OTHER)).toBe('schedulable');
    await manager.cordon(OTHER, OWNER);
    await manager.uncordon(NODE, OWNER);
    expect(await describeCordon(manager, OTHER)).toBe(`cordoned by ${OWNER}`);
  });

  test('keeps the cordon of a node that is registered again', async () => {
    const manager = await openWithNode();
    await manager.cordon(NODE, OWNER);
    await enter(manager, NODE);
    expect(await describeCordon(manager)).toBe(`cordoned by ${OWNER}`);
  });

  test('forgets the cordon of a node that is removed', async () => {
    const manager = await openWithNode();
    await manager.cordon(NODE, OWNER);
    await manager.remove(NODE);
    await enter(manager, NODE);
    expect(await describeCordon(manager)).toBe('schedulable');
  });

  test('says which node it cannot cordon because it does not know it', async () => {
    const manager = await open();
    await expect(manager.cordon(NODE, OWNER)).rejects.toThrow(NODE);
    expect(await manager.uncordon(NODE, OWNER)).toBe('not_owner');
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
  });
}

function otherCordonsConform<M extends ContainerManager>(fixture: ManagerFixture<M>): void {
  const { openWithNode } = nodeJoiner(fixture);
  if (fixture.cordonByHand === undefined) return;

  test('leaves a node that others have cordoned as it is', async () => {
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

  test.each([false, true])(
    'drains a node with nothing on it at once, again and again; by force: %s',
    async force => {
      const manager = await openWithNode();
      await manager.cordon(NODE, OWNER);
      for (const _ of ['once', 'twice'])
        expect(await manager.drain(NODE, { force })).toEqual({ state: 'drained' });
      expect(await describeCordon(manager)).toBe(`cordoned by ${OWNER}`);
    },
  );

  test('says which node it cannot drain because it does not know it', async () => {
    await expect((await open()).drain(NODE, { force: false })).rejects.toThrow(NODE);
  });

  test('says of which node it cannot tell whether it may be taken out, because it does not know it', async () => {
    await expect((await open()).checkDisruption(NODE)).rejects.toThrow(NODE);
  });

  test('has nothing against taking out a node that is well', async () => {
    expect(await (await openWithNode()).checkDisruption(NODE)).toBeUndefined();
  });

  test('names the nodes of its control plane, the same ones each time', async () => {
    const manager = await openWithNode();
    const addresses = await manager.controlPlane();
    expect(addresses.map(parseAddress)).toEqual(addresses);
    expect(await manager.controlPlane()).toEqual(addresses);
  });
}
