import Type from 'typebox';
import { cidr } from '../../option-fields.ts';
import { backend } from '../backend.ts';
import type { NetworkDriver } from '../network.ts';

export const flannelKube: NetworkDriver = {
  type: 'flannel_kube',
  summary: "flannel with its subnets from the cluster's Kubernetes",
  options: Type.Object(
    {
      network: Type.Optional(cidr('The network that hosts get their subnets from.')),
      backend: Type.Optional(backend),
    },
    { additionalProperties: false },
  ),
  entersAs: 'node',
  open: () => ({
    check: async () => ({ version: '', problems: [] }),
    prepare: async () => undefined,
    joinTask: () => null,
    leaveTask: () => null,
    forget: async () => {},
  }),
};
