import Type from 'typebox';
import type { NetworkDriver } from '../network.ts';

export const none: NetworkDriver = {
  type: 'none',
  summary: 'No overlay network; changes nothing on a host',
  options: Type.Object({}, { additionalProperties: false }),
  open: () => ({
    joinsAs: 'host',
    checkConnection: async () => ({ version: '', problems: [] }),
    ensureConfigured: async () => undefined,
    joinPlan: async () => null,
    leavePlan: async () => null,
    releaseHost: async () => {},
  }),
};
