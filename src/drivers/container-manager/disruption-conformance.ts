// What must hold when a node is taken out of service for a while: a cordon is undone by nobody but who made it, and each call may be
// repeated.

import { expect, test } from 'vitest';
import type { Address } from '../../domain/address.ts';
import { parseAddress } from '../../domain/address.ts';
import { cordonMark } from '../../domain/rolling/cordon-mark.ts';
import type { ContainerManager } from './container-manager.ts';

const [NODE, OTHER] = ['127.0.0.1' as Address, '127.0.0.2' as Address];
const MARK = cordonMark('one', 1);

/** Cordons a node without a mark of ours, as people do. */
export type CordonByHand<M> = (manager: M, node: Address) => Promise<unknown>;

/** Part of the conformance suite of container managers. */
export function disruptionConforms<M extends ContainerManager>(
  open: () => M,
  cordonByHand?: CordonByHand<M>,
): void {
  cordonsConform(open);
  if (cordonByHand) foreignCordonsConform(open, cordonByHand);
  drainsConform(open);
}

async function openWithNode<M extends ContainerManager>(open: () => M): Promise<M> {
  const manager = open();
  await manager.register(NODE);
  return manager;
}

/** Whether a node can be scheduled to, and by whose mark not. */
async function cordonOf(manager: ContainerManager, node = NODE) {
  const report = await manager.report(node);
  if (report.state !== 'registered') return report.state;
  return report.schedulable ? 'schedulable' : `cordoned by ${report.cordonedBy}`;
}

function cordonsConform(open: () => ContainerManager): void {
  test('cordons a node under our mark, which may be repeated', async () => {
    const manager = await openWithNode(open);
    expect(await cordonOf(manager)).toBe('schedulable');
    for (const _ of ['once', 'twice']) {
      expect(await manager.cordon(NODE, MARK)).toBe('cordoned');
      expect(await cordonOf(manager)).toBe(`cordoned by ${MARK}`);
    }
  });

  test('uncordons a node by the mark that is on it, which may be repeated', async () => {
    const manager = await openWithNode(open);
    await manager.cordon(NODE, MARK);
    for (const _ of ['once', 'twice']) {
      expect(await manager.uncordon(NODE, MARK)).toBe('uncordoned');
      expect(await cordonOf(manager)).toBe('schedulable');
    }
    expect(await manager.report(NODE)).not.toHaveProperty('cordonedBy');
  });

  test.each([cordonMark('one', 2), cordonMark('two', 1)])(
    'takes a cordon of ours over for %s',
    async later => {
      const manager = await openWithNode(open);
      await manager.cordon(NODE, MARK);
      expect(await manager.cordon(NODE, later)).toBe('cordoned');
      expect(await manager.uncordon(NODE, MARK)).toBe('not_ours');
      expect(await cordonOf(manager)).toBe(`cordoned by ${later}`);
      expect(await manager.uncordon(NODE, later)).toBe('uncordoned');
      expect(await cordonOf(manager)).toBe('schedulable');
    },
  );

  test.each(['first', 'last'])(
    'does not undo a cordon that is taken over at the same moment, %s',
    async when => {
      const manager = await openWithNode(open);
      const later = cordonMark('one', 2);
      await manager.cordon(NODE, MARK);
      const calls = [() => manager.cordon(NODE, later), () => manager.uncordon(NODE, MARK)];
      if (when === 'last') calls.reverse();
      await Promise.all(calls.map(call => call()));
      expect(await cordonOf(manager)).toBe(`cordoned by ${later}`);
    },
  );

  test('cordons and uncordons no other node', async () => {
    const manager = await openWithNode(open);
    await manager.register(OTHER);
    await manager.cordon(NODE, MARK);
    expect(await cordonOf(manager, OTHER)).toBe('schedulable');
    await manager.cordon(OTHER, MARK);
    await manager.uncordon(NODE, MARK);
    expect(await cordonOf(manager, OTHER)).toBe(`cordoned by ${MARK}`);
  });

  test('keeps the cordon of a node that is registered again', async () => {
    const manager = await openWithNode(open);
    await manager.cordon(NODE, MARK);
    await manager.register(NODE);
    expect(await cordonOf(manager)).toBe(`cordoned by ${MARK}`);
  });

  test('forgets the cordon of a node that is removed', async () => {
    const manager = await openWithNode(open);
    await manager.cordon(NODE, MARK);
    await manager.remove(NODE);
    await manager.register(NODE);
    expect(await cordonOf(manager)).toBe('schedulable');
  });

  test('says which node it cannot cordon because it does not know it', async () => {
    const manager = open();
    await expect(manager.cordon(NODE, MARK)).rejects.toThrow(NODE);
    expect(await manager.uncordon(NODE, MARK)).toBe('not_ours');
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
  });
}

function foreignCordonsConform<M extends ContainerManager>(
  open: () => M,
  cordonByHand: CordonByHand<M>,
): void {
  test('leaves a node that others have cordoned as it is', async () => {
    const manager = await openWithNode(open);
    await cordonByHand(manager, NODE);
    const before = await manager.report(NODE);
    expect(before).toMatchObject({ schedulable: false, cordonedBy: expect.not.stringContaining('hostler/') });
    for (const _ of ['once', 'twice']) {
      expect(await manager.cordon(NODE, MARK)).toBe('foreign');
      expect(await manager.uncordon(NODE, MARK)).toBe('not_ours');
      expect(await manager.report(NODE)).toEqual(before);
    }
  });
}

function drainsConform(open: () => ContainerManager): void {
  test.each([false, true])(
    'drains a node with nothing on it at once, again and again; by force: %s',
    async force => {
      const manager = await openWithNode(open);
      await manager.cordon(NODE, MARK);
      for (const _ of ['once', 'twice'])
        expect(await manager.drain(NODE, { force })).toEqual({ state: 'drained' });
      expect(await cordonOf(manager)).toBe(`cordoned by ${MARK}`);
    },
  );

  test('says which node it cannot drain because it does not know it', async () => {
    await expect(open().drain(NODE, { force: false })).rejects.toThrow(NODE);
  });

  test('has nothing against taking out a node that is well', async () => {
    expect(await (await openWithNode(open)).disruptionProblem(NODE)).toBeUndefined();
  });

  test('names the nodes of its control plane, the same ones each time', async () => {
    const manager = await openWithNode(open);
    const named = await manager.controlPlane();
    expect(named.map(parseAddress)).toEqual(named);
    expect(await manager.controlPlane()).toEqual(named);
  });
}
