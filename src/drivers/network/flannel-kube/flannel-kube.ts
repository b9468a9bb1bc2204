import Type from 'typebox';
import { cidr } from '../../option-fields.ts';
import { backend } from '../backend.ts';
import { flannelProof } from '../flannel-proof.ts';
import type { NetworkDriver } from '../network.ts';

const MANAGERS: readonly string[] = ['kubernetes', 'k3s', 'openshift'];

export const flannelKube: NetworkDriver = {
  type: 'flannel_kube',
  summary: 'flannel that runs in the Kubernetes of the cluster',
  options: Type.Object(
    {
      network: Type.Optional(cidr('Network from which hosts get their subnets.')),
      backend: Type.Optional(backend),
    },
    { additionalProperties: false },
  ),
  entersAs: 'node',
  // Whoever runs the cluster brings flannel along: here it is only seen to be there.
  open: ({ options: { network }, managerType }) => ({
    check: async () => ({ version: '', problems: [] }),
    prepare: async () =>
      managerType !== null && MANAGERS.includes(managerType)
        ? undefined
        : `flannel_kube requires a cluster whose container manager has one of the types ${MANAGERS.join(', ')}`,
    joinTask: async () => ({
      needs: [],
      hint: '',
      commands: [],
      proof: flannelProof(typeof network === 'string' ? { network } : {}),
    }),
    leaveTask: async () => null,
    forget: async () => {},
  }),
};
