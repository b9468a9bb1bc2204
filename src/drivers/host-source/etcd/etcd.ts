import Type from 'typebox';
import { EtcdClient } from '../../../clients/etcd/etcd-client.ts';
import { reading } from '../../../clients/reading.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/source-facts.ts';
import { certificateWithKey, tlsFiles, tlsFilesOf, url } from '../../option-fields.ts';
import type { HostSource, HostSourceDriver } from '../host-source.ts';
import { factsOfRecord } from '../told-facts.ts';

const DEFAULT_PREFIX = '/hostler/hosts';

const options = Type.Object(
  {
    endpoints: Type.Array(url('Client URL of an etcd member.'), { minItems: 1, maxItems: 64 }),
    prefix: Type.Optional(
      Type.String({
        pattern: '^/[A-Za-z0-9._/-]{1,255}$',
        rule: 'must be an etcd key that starts with /',
        description: `Prefix of the keys. The record of a host is at \`<prefix>/<address>\`. Default \`${DEFAULT_PREFIX}\`.`,
      }),
    ),
    ...tlsFiles,
  },
  { additionalProperties: false, ...certificateWithKey },
);

const optionsOf = reading('the options of an etcd source', options);

/** Text that is no JSON tells nothing. */
function factsIn(value: string): SourceFacts {
  try {
    return factsOfRecord(JSON.parse(value));
  } catch {
    return {};
  }
}

function openEtcd(client: EtcdClient, prefix: string): HostSource {
  return {
    readsAll: true,
    async read(hosts) {
      const wanted = new Set(hosts);
      const told = new Map<Address, SourceFacts>();
      for (const { key, value } of await client.getPrefix(prefix)) {
        const address = parseAddress(key.slice(prefix.length));
        if (address !== undefined && wanted.has(address)) told.set(address, factsIn(value));
      }
      return told;
    },
    async watch(changed, signal) {
      await client.watchPrefix(prefix, changed, signal);
    },
  };
}

export const etcd: HostSourceDriver = {
  type: 'etcd',
  summary: 'JSON records in etcd (3.4 or later), one for each host',
  options,
  open({ options: given, connections }) {
    const { endpoints, prefix = DEFAULT_PREFIX, ...tls } = optionsOf(given);
    const client = new EtcdClient({
      endpoints,
      files: tlsFilesOf(tls),
      connections,
    });
    return openEtcd(client, `${prefix.replace(/\/+$/, '')}/`);
  },
};
