import type { Static } from 'typebox';
import Type from 'typebox';
import { cidrOption } from '../../option-schemas.ts';
import { backendOption, flannelReadyQuery } from '../flannel.ts';
import type { NetworkContext, NetworkDriver } from '../network.ts';

const SUPPORTED_MANAGERS: readonly string[] = ['kubernetes', 'k3s', 'openshift'];

const optionsSchema = Type.Object(
  {
    network: Type.Optional(cidrOption('Network from which hosts get their subnets.')),
    backend: Type.Optional(backendOption),
  },
  { additionalProperties: false },
);

export const flannelKube: NetworkDriver = {
  type: 'flannel_kube',
  summary: 'flannel that runs in the Kubernetes of the cluster',
  options: optionsSchema,
  // The administrator of the cluster installs flannel; Hostler only verifies that it runs.
  open: ({ options: { network }, managerType }: NetworkContext<Static<typeof optionsSchema>>) => ({
    joinsAs: 'node',
    checkConnection: async () => ({ version: '', problems: [] }),
    ensureConfigured: async () =>
      managerType !== null && SUPPORTED_MANAGERS.includes(managerType)
        ? undefined
        : `flannel_kube requires a cluster whose container manager has one of the types ${SUPPORTED_MANAGERS.join(', ')}`,
    joinPlan: async () => ({ commands: [], readyQuery: flannelReadyQuery(network) }),
    leavePlan: async () => null,
    releaseHost: async () => {},
  }),
};
