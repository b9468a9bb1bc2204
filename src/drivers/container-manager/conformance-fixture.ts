// What the conformance suites of container managers are run on.

import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { ContainerManager } from './container-manager.ts';

const address = (text: string): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`${text} is no address`);
  return parsed;
};

export const [NODE, OTHER, V6] = [address('127.0.0.1'), address('127.0.0.2'), address('::1')];

/** A container manager, and what is around it. */
export interface ManagerFixture<M extends ContainerManager> {
  /** A container manager without nodes. */
  open(): M | Promise<M>;
  /** What a host comes to that does its task: it turns up as a node. Missing where hosts have nothing to do. */
  join?(manager: M, node: Address): Promise<unknown>;
  /** Cordons a node without a mark of ours, as people do. Missing where nobody but Hostler can. */
  cordonByHand?(manager: M, node: Address): Promise<unknown>;
}

/** Brings hosts into a container manager, as the engine does. */
export function nodeJoiner<M extends ContainerManager>(fixture: ManagerFixture<M>) {
  const enter = async (manager: M, node: Address): Promise<void> => {
    const host = { address: node, hostname: `host-${node.replaceAll(/[.:]+/g, '-')}` };
    if ((await manager.report(node)).state === 'unknown') {
      await manager.joinPlan(host);
      await fixture.join?.(manager, node);
    }
    const problem = await manager.register(host);
    if (problem !== undefined) throw new Error(problem);
  };
  return {
    enter,
    open: async () => fixture.open(),
    openWithNode: async () => {
      const manager = await fixture.open();
      await enter(manager, NODE);
      return manager;
    },
  };
}
