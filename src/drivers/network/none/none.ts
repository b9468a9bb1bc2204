import Type from 'typebox';
import type { NetworkDriver } from '../network.ts';

/** No overlay network: hosts are left as they are. */
export const none: NetworkDriver = {
  type: 'none',
  summary: 'No overlay network; changes nothing on a host',
  options: Type.Object({}, { additionalProperties: false }),
  entersAs: 'host',
  open: () => ({
    check: async () => ({ version: '', problems: [] }),
    prepare: async () => undefined,
    joinTask: async () => null,
    leaveTask: async () => null,
    forget: async () => {},
  }),
};
