import Type from 'typebox';
import { certificateWithKey, cidr, filePath, url } from '../../option-fields.ts';
import { backend } from '../backend.ts';
import type { NetworkDriver } from '../network.ts';
import { FlannelEtcd, STANDARD_PREFIX } from './flannel-etcd-network.ts';

/** Each side reads a file of its own: an option never says what of the server's machine gets onto hosts. */
const onBothSides = (description: string) =>
  Type.Optional(filePath(`${description} At this path on the server's machine, and on each host.`));

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
      ca_path: onBothSides("The authority that signs etcd's certificates; default: the system's."),
      certificate_path: onBothSides('The client certificate; needs `certificate_key_path`.'),
      certificate_key_path: onBothSides("The client certificate's key; needs `certificate_path`."),
    },
    {
      additionalProperties: false,
      ...certificateWithKey,
    },
  ),
  // Not the endpoints: members of etcd come and go.
  identity: { prefix: STANDARD_PREFIX },
  entersAs: 'host',
  open: record => new FlannelEtcd(record),
};
