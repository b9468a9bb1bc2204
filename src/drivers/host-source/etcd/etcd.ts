import type { Static } from 'typebox';
import Type from 'typebox';
import type { Address } from '../../../domain/addresses/address.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';
import { EtcdClient } from '../../../integrations/etcd/etcd-client.ts';
import { tryOr } from '../../../lib/errors.ts';
import { etcdPrefixOption, tlsClientOptions, tlsFileOptions, toTlsFiles, urlOption } from '../../option-schemas.ts';
import type { HostSource, HostSourceContext, HostSourceDriver } from '../host-source.ts';
import { parseFactsRecord } from '../parse-facts.ts';

const DEFAULT_PREFIX = '/hostler/hosts';

const optionsSchema = tlsClientOptions({
  endpoints: Type.Array(urlOption('Client URL of an etcd member.'), { minItems: 1, maxItems: 64 }),
  prefix: Type.Optional(
    etcdPrefixOption(
      `Prefix of the keys. The record of a host is at \`<prefix>/<address>\`. Default \`${DEFAULT_PREFIX}\`.`,
    ),
  ),
  ...tlsFileOptions,
});

function openEtcd({ options, connections }: HostSourceContext<Static<typeof optionsSchema>>): HostSource {
  const client = new EtcdClient({ endpoints: options.endpoints, files: toTlsFiles(options), connections });
  const prefix = `${(options.prefix ?? DEFAULT_PREFIX).replace(/\/+$/, '')}/`;
  return {
    isBulk: true,
    async read(hosts) {
      const wanted = new Set(hosts);
      const facts = new Map<Address, SourceFacts>();
      for (const { key, value } of await client.getPrefix(prefix)) {
        const address = parseAddress(key.slice(prefix.length));
        if (address !== undefined && wanted.has(address))
          facts.set(address, parseFactsRecord(tryOr<unknown>(undefined, () => JSON.parse(value))));
      }
      return facts;
    },
    async watch(onChange, signal) {
      await client.watchPrefix(prefix, onChange, signal);
    },
  };
}

export const etcd: HostSourceDriver = {
  type: 'etcd',
  summary: 'JSON records in etcd (3.4 or later), one for each host',
  options: optionsSchema,
  open: openEtcd,
};
