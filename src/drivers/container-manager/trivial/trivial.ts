import Type from 'typebox';
import type { Address } from '../../../domain/addresses/address.ts';
import type { DriverMemory } from '../../../domain/driver-record.ts';
import { isHostlerOwner } from '../../../domain/rollout/operation-host.ts';
import type { ContainerManager, ContainerManagerDriver } from '../container-manager.ts';

// Stored value of a node: registered, or the prefix and the owner of the cordon.
const REGISTERED = 'registered';
const CORDONED_PREFIX = 'cordoned by ';

const getCordonOwner = (stored: string): string | undefined =>
  stored.startsWith(CORDONED_PREFIX) ? stored.slice(CORDONED_PREFIX.length) : undefined;

function openTrivial(memory: DriverMemory): ContainerManager {
  async function getNodeOrThrow(address: Address): Promise<string> {
    const stored = await memory.get(address);
    if (stored === undefined) throw new Error(`${address} is not a node of this container manager`);
    return stored;
  }
  return {
    checkConnection: async () => ({ version: '', problems: [] }),
    joinPlan: async () => null,
    async register({ address }) {
      await memory.compareAndSet(address, undefined, REGISTERED);
      return undefined;
    },
    remove: node => memory.delete(node),
    leavePlan: async () => null,
    async report(node) {
      const stored = await memory.get(node);
      if (stored === undefined) return { state: 'unknown' };
      const owner = getCordonOwner(stored);
      const common = { state: 'registered', name: node, ready: true } as const;
      return owner === undefined
        ? { ...common, schedulable: true }
        : { ...common, schedulable: false, cordonedBy: owner };
    },
    async cordon(node, owner) {
      for (;;) {
        const stored = await getNodeOrThrow(node);
        const currentOwner = getCordonOwner(stored);
        if (currentOwner !== undefined && !isHostlerOwner(currentOwner)) return 'cordoned_by_other';
        if (await memory.compareAndSet(node, stored, `${CORDONED_PREFIX}${owner}`)) return 'cordoned';
      }
    },
    async uncordon(node, owner) {
      const isDone = await memory.compareAndSet(node, `${CORDONED_PREFIX}${owner}`, REGISTERED);
      return isDone || (await memory.get(node)) === REGISTERED ? 'uncordoned' : 'not_owner';
    },
    async drain(node) {
      await getNodeOrThrow(node);
      return { state: 'drained' };
    },
    async checkDisruption(node) {
      await getNodeOrThrow(node);
      return undefined;
    },
    controlPlane: async () => [],
  };
}

/** For tests, and for clusters that only group hosts. All nodes are ready, and nothing runs on them. */
export const trivial: ContainerManagerDriver = {
  type: 'trivial',
  summary: 'No server; Hostler only records the nodes',
  options: Type.Object({}, { additionalProperties: false }),
  open: ({ memory }) => openTrivial(memory),
};
