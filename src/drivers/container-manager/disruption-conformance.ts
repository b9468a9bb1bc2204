// What must hold when a node is taken out of service for a while: a cordon is undone by nobody but who made it, and each call may be
// repeated.

import { expect, test } from 'vitest';
import { parseAddress } from '../../domain/addresses/address.ts';
import { cordonMark } from '../../domain/rolling/cordon-mark.ts';
import type { ManagerLab } from './conformance-lab.ts';
import { NODE, newcomer, OTHER } from './conformance-lab.ts';
import type { ContainerManager } from './container-manager.ts';

const MARK = cordonMark('one', 1);

/** Part of the conformance suite of container managers. */
export function disruptionConforms<M extends ContainerManager>(lab: ManagerLab<M>): void {
  cordonsConform(lab);
  foreignCordonsConform(lab);
  drainsConform(lab);
}

/** Whether a node can be scheduled to, and by whose mark not. */
async function cordonOf(manager: ContainerManager, node = NODE) {
  const report = await manager.report(node);
  if (report.state !== 'registered') return report.state;
  return report.schedulable ? 'schedulable' : `cordoned by ${report.cordonedBy}`;
}

function cordonsConform<M extends ContainerManager>(lab: ManagerLab<M>): void {
  const { enter, open, openWithNode } = newcomer(lab);

  test('cordons a node under our mark, which may be repeated', async () => {
    const manager = await openWithNode();
    expect(await cordonOf(manager)).toBe('schedulable');
    for (const _ of ['once', 'twice']) {
      expect(await manager.cordon(NODE, MARK)).toBe('cordoned');
      expect(await cordonOf(manager)).toBe(`cordoned by ${MARK}`);
    }
  });

  test('uncordons a node by the mark that is on it, which may be repeated', async () => {
    const manager = await openWithNode();
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
      const manager = await openWithNode();
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
      const manager = await openWithNode();
      const later = cordonMark('one', 2);
      await manager.cordon(NODE, MARK);
      const calls = [() => manager.cordon(NODE, later), () => manager.uncordon(NODE, MARK)];
      if (when === 'last') calls.reverse();
      await Promise.all(calls.map(call => call()));
      expect(await cordonOf(manager)).toBe(`cordoned by ${later}`);
    },
  );

  test('cordons and uncordons no other node', async () => {
    const manager = await openWithNode();
    await enter(manager, OTHER);
    await manager.cordon(NODE, MARK);
    expect(await cordonOf(manager, OTHER)).toBe('schedulable');
    await manager.cordon(OTHER, MARK);
    await manager.uncordon(NODE, MARK);
    expect(await cordonOf(manager, OTHER)).toBe(`cordoned by ${MARK}`);
  });

  test('keeps the cordon of a node that is registered again', async () => {
    const manager = await openWithNode();
    await manager.cordon(NODE, MARK);
    await enter(manager, NODE);
    expect(await cordonOf(manager)).toBe(`cordoned by ${MARK}`);
  });

  test('forgets the cordon of a node that is removed', async () => {
    const manager = await openWithNode();
    await manager.cordon(NODE, MARK);
    await manager.remove(NODE);
    await enter(manager, NODE);
    expect(await cordonOf(manager)).toBe('schedulable');
  });

  test('says which node it cannot cordon because it does not know it', async () => {
    const manager = await open();
    await expect(manager.cordon(NODE, MARK)).rejects.toThrow(NODE);
    expect(await manager.uncordon(NODE, MARK)).toBe('not_ours');
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
  });
}

function foreignCordonsConform<M extends ContainerManager>(lab: ManagerLab<M>): void {
  const { openWithNode } = newcomer(lab);
  if (lab.cordonByHand === undefined) return;

  test('leaves a node that others have cordoned as it is', async () => {
    const manager = await openWithNode();
    await lab.cordonByHand?.(manager, NODE);
    const before = await manager.report(NODE);
    expect(before).toMatchObject({ schedulable: false, cordonedBy: expect.not.stringContaining('hostler/') });
    for (const _ of ['once', 'twice']) {
      expect(await manager.cordon(NODE, MARK)).toBe('foreign');
      expect(await manager.uncordon(NODE, MARK)).toBe('not_ours');
      expect(await manager.report(NODE)).toEqual(before);
    }
  });
}

function drainsConform<M extends ContainerManager>(lab: ManagerLab<M>): void {
  const { open, openWithNode } = newcomer(lab);

  test.each([false, true])(
    'drains a node with nothing on it at once, again and again; by force: %s',
    async force => {
      const manager = await openWithNode();
      await manager.cordon(NODE, MARK);
      for (const _ of ['once', 'twice'])
        expect(await manager.drain(NODE, { force })).toEqual({ state: 'drained' });
      expect(await cordonOf(manager)).toBe(`cordoned by ${MARK}`);
    },
  );

  test('says which node it cannot drain because it does not know it', async () => {
    await expect((await open()).drain(NODE, { force: false })).rejects.toThrow(NODE);
  });

  test('says of which node it cannot tell whether it may be taken out, because it does not know it', async () => {
    await expect((await open()).disruptionProblem(NODE)).rejects.toThrow(NODE);
  });

  test('has nothing against taking out a node that is well', async () => {
    expect(await (await openWithNode()).disruptionProblem(NODE)).toBeUndefined();
  });

  test('names the nodes of its control plane, the same ones each time', async () => {
    const manager = await openWithNode();
    const named = await manager.controlPlane();
    expect(named.map(parseAddress)).toEqual(named);
    expect(await manager.controlPlane()).toEqual(named);
  });
}
