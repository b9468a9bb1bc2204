import type { Static } from 'typebox';
import Type from 'typebox';
import { flanneldJoinPlan, flanneldLeavePlan } from '../flannel.ts';
import type { NetworkContext, NetworkDriver } from '../network.ts';

const optionsSchema = Type.Object(
  {
    address: Type.String({
      pattern:
        '^([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?$',
      maxLength: 255,
      rule: 'must be the host or host:port of a flannel server, such as 10.0.0.1:8888',
      description: 'Address of the flannel server, as `host` or `host:port`.',
    }),
  },
  { additionalProperties: false },
);

export const flannelServer: NetworkDriver = {
  type: 'flannel_server',
  summary: 'flannel client mode (only flannel before 0.8.0)',
  options: optionsSchema,
  open: ({ name, options: { address } }: NetworkContext<Static<typeof optionsSchema>>) => ({
    joinsAs: 'host',
    checkConnection: async () => ({ version: '', problems: [] }),
    ensureConfigured: async () => undefined,
    joinPlan: async host => flanneldJoinPlan(host, { name, options: { remote: address }, requiredFlag: 'remote' }),
    leavePlan: async () => flanneldLeavePlan(name),
    releaseHost: async () => {},
  }),
};
