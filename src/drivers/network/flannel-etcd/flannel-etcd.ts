import Type from 'typebox';
import { certificateWithKey, cidr, filePath, url } from '../../option-fields.ts';
import { backend } from '../backend.ts';
import type { NetworkDriver } from '../network.ts';
import { FlannelEtcd, STANDARD_PREFIX } from './flannel-etcd-network.ts';

/** The server and each host read their own file: Hostler never copies files of the server machine to hosts. */
const onBothSides = (description: string) =>
  Type.Optional(
    filePath(`${description} The file must exist at this path on the server machine and on each host.`),
  );

export const flannelEtcd: NetworkDriver = {
  type: 'flannel_etcd',
  summary: 'flannel with its configuration in etcd',
  options: Type.Object(
    {
      endpoints: Type.Optional(
        Type.Array(url('Client URL of an etcd member.'), {
          minItems: 1,
          maxItems: 64,
          description: 'Client URLs of the etcd members, for example `https://10.0.0.1:2379`.',
        }),
      ),
      prefix: Type.Optional(
        Type.String({
          pattern: '^/[A-Za-z0-9._/-]{1,255}$',
          rule: 'must be an etcd key that starts with /',
          description: "Prefix of flannel's keys in etcd. Default `/coreos.com/network`.",
        }),
      ),
      network: Type.Optional(cidr('Network from which hosts get their subnets.')),
      backend: Type.Optional(backend),
      ca_path: onBothSides('CA certificates for etcd. Default: the CAs of the system.'),
      certificate_path: onBothSides('Client certificate. Requires `certificate_key_path`.'),
      certificate_key_path: onBothSides(
        'Private key of the client certificate. Requires `certificate_path`.',
      ),
    },
    {
      additionalProperties: false,
      ...certificateWithKey,
    },
  ),
  // Without the endpoints: the members of etcd can change.
  identity: { prefix: STANDARD_PREFIX },
  entersAs: 'host',
  open: record => new FlannelEtcd(record),
};
