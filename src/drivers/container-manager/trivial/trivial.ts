import Type from 'typebox';
import type { ContainerManagerDriver } from '../container-manager.ts';

/** No server: it remembers its nodes, and each is ready. For tests and for clusters that are hosts only. */
export const trivial: ContainerManagerDriver = {
  type: 'trivial',
  summary: 'No server; remembers its nodes',
  options: Type.Object({}, { additionalProperties: false }),
  open: ({ memory }) => ({
    register: node => memory.set(node, 'registered'),
    remove: node => memory.delete(node),
    report: async node =>
      (await memory.get(node)) === undefined
        ? { state: 'unknown' }
        : { state: 'registered', name: node, ready: true, schedulable: true },
  }),
};
