import Type from 'typebox';
import { certificateWithKey, cidr, tlsFiles, url } from '../../option-fields.ts';
import { backend } from '../backend.ts';
import type { NetworkDriver } from '../network.ts';
import { FlannelEtcd } from './flannel-etcd-network.ts';

export const flannelEtcd: NetworkDriver = {
  type: 'flannel_etcd',
  summary: 'flannel with its configuration in etcd',
  options: Type.Object(
    {
      endpoints: Type.Optional(
        Type.Array(url("An etcd member's client URL."), { minItems: 1, maxItems: 64 }),
      ),
      prefix: Type.Optional(
        Type.String({
          pattern: '^/[A-Za-z0-9._/-]{1,255}$',
          rule: 'must be a key of etcd that begins with /',
          description: 'Where the configuration is kept; default `/coreos.com/network`.',
        }),
      ),
      network: Type.Optional(cidr('The network that hosts get their subnets from.')),
      backend: Type.Optional(backend),
      ...tlsFiles,
    },
    {
      additionalProperties: false,
      ...certificateWithKey,
    },
  ),
  entersAs: 'host',
  open: record => new FlannelEtcd(record),
};
