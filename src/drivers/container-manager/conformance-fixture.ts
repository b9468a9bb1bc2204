import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { ContainerManager } from './container-manager.ts';

const address = (text: string): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`${text} is not an address`);
  return parsed;
};

export const [NODE, OTHER, V6] = [address('127.0.0.1'), address('127.0.0.2'), address('::1')];

export interface ManagerFixture<M extends ContainerManager> {
  open(): M | Promise<M>;
  /** Simulates a host that has run its join plan and appears as a node. Undefined if hosts run no commands to join. */
  join?(manager: M, node: Address): Promise<unknown>;
  /** Cordons a node without a Hostler owner, as an administrator does. Undefined if only Hostler can cordon nodes. */
  cordonByHand?(manager: M, node: Address): Promise<unknown>;
}

/** Joins hosts to a container manager in the same order of calls as the engine. */
export function nodeJoiner<M extends ContainerManager>(fixture: ManagerFixture<M>) {
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
