import Type from 'typebox';
import { cidrOption } from '../../option-schemas.ts';
import { backendOption, flannelReadyQuery } from '../flannel.ts';
import type { NetworkDriver } from '../network.ts';

const SUPPORTED_MANAGERS: readonly string[] = ['kubernetes', 'k3s', 'openshift'];

export const flannelKube: NetworkDriver = {
  type: 'flannel_kube',
  summary: 'flannel that runs in the Kubernetes of the cluster',
  options: Type.Object(
    {
      network: Type.Optional(cidrOption('Network from which hosts get their subnets.')),
      backend: Type.Optional(backendOption),
    },
    { additionalProperties: false },
  ),
  joinsAs: 'node',
  // The administrator of the cluster installs flannel; Hostler only verifies that it runs.
  open: ({ options: { network }, managerType }) => ({
    checkConnection: async () => ({ version: '', problems: [] }),
    ensureConfigured: async () =>
      managerType !== null && SUPPORTED_MANAGERS.includes(managerType)
        ? undefined
        : `flannel_kube requires a cluster whose container manager has one of the types ${SUPPORTED_MANAGERS.join(', ')}`,
    joinPlan: async () => ({
      requiredPrograms: [],
      installHint: '',
      commands: [],
      readyQuery: flannelReadyQuery(typeof network === 'string' ? { network } : {}),
    }),
    leavePlan: async () => null,
    releaseHost: async () => {},
  }),
};
