import Type from 'typebox';
import type { NetworkDriver } from '../network.ts';

/** No overlay network: hosts are left as they are. */
export const none: NetworkDriver = {
  type: 'none',
  summary: 'No overlay network; changes nothing on a host',
  options: Type.Object({}, { additionalProperties: false }),
  joinsAs: 'host',
  open: () => ({
    checkConnection: async () => ({ version: '', problems: [] }),
    ensureConfigured: async () => undefined,
    joinPlan: async () => null,
    leavePlan: async () => null,
    releaseHost: async () => {},
  }),
};
