import Type from 'typebox';
import type { Address } from '../../../domain/addresses/address.ts';
import type { DriverMemory } from '../../../domain/driver-memory.ts';
import { isOurMark } from '../../../domain/rolling/cordon-mark.ts';
import type { ContainerManager, ContainerManagerDriver } from '../container-manager.ts';

// What is remembered of a node: that it is one, or whose mark it was cordoned under.
const REGISTERED = 'registered';
const CORDONED = 'cordoned by ';

const cordonedBy = (known: string): string | undefined =>
  known.startsWith(CORDONED) ? known.slice(CORDONED.length) : undefined;

function openTrivial(memory: DriverMemory): ContainerManager {
  async function nodeAt(address: Address): Promise<string> {
    const known = await memory.get(address);
    if (known === undefined) throw new Error(`${address} is not a node of this container manager`);
    return known;
  }
  return {
    check: async () => ({ version: '', problems: [] }),
    joinTask: async () => null,
    async register({ address }) {
      await memory.compareAndSet(address, undefined, REGISTERED);
      return undefined;
    },
    remove: node => memory.delete(node),
    leaveTask: async () => null,
    async report(node) {
      const known = await memory.get(node);
      if (known === undefined) return { state: 'unknown' };
      const mark = cordonedBy(known);
      const common = { state: 'registered', name: node, ready: true } as const;
      return mark === undefined
        ? { ...common, schedulable: true }
        : { ...common, schedulable: false, cordonedBy: mark };
    },
    async cordon(node, mark) {
      // Again when somebody was faster.
      for (;;) {
        const known = await nodeAt(node);
        const before = cordonedBy(known);
        if (before !== undefined && !isOurMark(before)) return 'foreign';
        if (await memory.compareAndSet(node, known, `${CORDONED}${mark}`)) return 'cordoned';
      }
    },
    async uncordon(node, mark) {
      const isDone = await memory.compareAndSet(node, `${CORDONED}${mark}`, REGISTERED);
      return isDone || (await memory.get(node)) === REGISTERED ? 'uncordoned' : 'not_ours';
    },
    async drain(node) {
      await nodeAt(node);
      return { state: 'drained' };
    },
    async disruptionProblem(node) {
      await nodeAt(node);
      return undefined;
    },
    controlPlane: async () => [],
  };
}

/** No server: it remembers its nodes, and each is ready; nothing runs on them. For tests and for clusters that are hosts only. */
export const trivial: ContainerManagerDriver = {
  type: 'trivial',
  summary: 'No server; Hostler only records the nodes',
  options: Type.Object({}, { additionalProperties: false }),
  open: ({ memory }) => openTrivial(memory),
};
