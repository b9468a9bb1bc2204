// What must hold for every container manager that can be asked: each call may be repeated, and a stranger is told from a node.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../domain/address.ts';
import { parseAddress } from '../../domain/address.ts';
import type { ContainerManager } from './container-manager.ts';
import type { CordonByHand } from './disruption-conformance.ts';
import { disruptionConforms } from './disruption-conformance.ts';

const address = (text: string): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`${text} is no address`);
  return parsed;
};

const [NODE, OTHER, V6] = [address('127.0.0.1'), address('127.0.0.2'), address('::1')];

/** `open` gives a container manager without nodes. `cordonByHand` is missing where nobody but Hostler can cordon. */
export function containerManagerConforms<M extends ContainerManager>(
  type: string,
  open: () => M,
  cordonByHand?: CordonByHand<M>,
): void {
  describe(`the container manager ${type}`, () => {
    nodesConform(open);
    disruptionConforms(open, cordonByHand);
  });
}

function nodesConform(open: () => ContainerManager): void {
  test('does not know a node that was never registered', async () => {
    expect(await open().report(NODE)).toEqual({ state: 'unknown' });
  });

  test.each([NODE, V6])('reports %s once it is registered', async node => {
    const manager = open();
    await manager.register(node);
    expect(await manager.report(node)).toMatchObject({
      state: 'registered',
      name: expect.stringMatching(/./),
      ready: expect.any(Boolean),
      schedulable: expect.any(Boolean),
    });
  });

  test('registers a node twice as it does once', async () => {
    const manager = open();
    await manager.register(NODE);
    const once = await manager.report(NODE);
    await manager.register(NODE);
    expect(await manager.report(NODE)).toEqual(once);
  });

  test('does not know a node any more once it is removed, which may be repeated', async () => {
    const manager = open();
    await manager.register(NODE);
    await manager.remove(NODE);
    await manager.remove(NODE);
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
  });

  test('removes a node that it never knew', async () => {
    await expect(open().remove(NODE)).resolves.toBeUndefined();
  });

  test('takes a removed node back', async () => {
    const manager = open();
    await manager.register(NODE);
    await manager.remove(NODE);
    await manager.register(NODE);
    expect(await manager.report(NODE)).toMatchObject({ state: 'registered' });
  });

  test('touches no other node', async () => {
    const manager = open();
    await manager.register(NODE);
    await manager.register(OTHER);
    await manager.remove(NODE);
    expect(await manager.report(OTHER)).toMatchObject({ state: 'registered' });
  });
}
