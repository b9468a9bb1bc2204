import path from 'node:path';
import type { Static } from 'typebox';
import Type from 'typebox';
import type { Address } from '../../../domain/addresses/address.ts';
import { EtcdClient } from '../../../integrations/etcd/etcd-client.ts';
import type { EtcdEntry } from '../../../integrations/etcd/etcd-gateway.ts';
import { tryOr } from '../../../lib/errors.ts';
import { isRecord } from '../../../lib/json.ts';
import {
  cidrOption,
  etcdPrefixOption,
  filePathOption,
  tlsClientOptions,
  toTlsFiles,
  urlOption,
} from '../../option-schemas.ts';
import { backendOption, flanneldJoinPlan, flanneldLeavePlan } from '../flannel.ts';
import type { Network, NetworkContext, NetworkDriver } from '../network.ts';
import { checkConfig, toFlannelConfig } from './flannel-config.ts';

/** A running flanneld can renew its lease at the same time. */
const MAX_ATTEMPTS = 3;

function isLeasedTo({ value, isLeased }: EtcdEntry, host: Address): boolean {
  // A subnet without expiry was reserved by an administrator.
  if (!isLeased) return false;
  const lease = tryOr<unknown>(undefined, () => JSON.parse(value));
  return isRecord(lease) && lease['PublicIP'] === host;
}

async function deleteLease(client: EtcdClient, folder: string, host: Address): Promise<void> {
  for (let attemptsLeft = MAX_ATTEMPTS; attemptsLeft > 0; attemptsLeft--) {
    const leases = (await client.getPrefix(folder)).filter(entry => isLeasedTo(entry, host));
    const deleted = await Promise.all(leases.map(lease => client.deleteUnchanged(lease)));
    if (deleted.every(Boolean)) return;
  }
  throw new Error(`the subnet lease of ${host} keeps being renewed; check whether flanneld still runs on the host`);
}

const DEFAULT_PREFIX = '/coreos.com/network';
const ENDPOINTS_REQUIRED = 'flannel_etcd requires the option endpoints';
const ONLY_IPV4 = 'flannel with etcd supports only IPv4 networks: set another network';
const CA_NEEDS_CERTIFICATE =
  'flanneld uses ca_path only together with certificate_path: set both, or make the hosts trust the authority';

const tlsFileOption = (description: string) =>
  Type.Optional(
    filePathOption(`${description} The file must exist at this path on the server machine and on each host.`),
  );

const optionsSchema = tlsClientOptions({
  endpoints: Type.Optional(
    Type.Array(urlOption('Client URL of an etcd member.'), {
      minItems: 1,
      maxItems: 64,
      description: 'Client URLs of the etcd members, for example `https://10.0.0.1:2379`.',
    }),
  ),
  prefix: Type.Optional(etcdPrefixOption("Prefix of flannel's keys in etcd. Default `/coreos.com/network`.")),
  network: Type.Optional(cidrOption('Network from which hosts get their subnets.')),
  backend: Type.Optional(backendOption),
  ca_path: tlsFileOption('CA certificates for etcd. Default: the CAs of the system.'),
  certificate_path: tlsFileOption('Client certificate. Requires `certificate_key_path`.'),
  certificate_key_path: tlsFileOption('Private key of the client certificate. Requires `certificate_path`.'),
});

type Context = NetworkContext<Static<typeof optionsSchema>>;

function openFlannelEtcd({ name, options, etcdEndpoints, connections, mayProceed }: Context): Network {
  const endpoints = (options.endpoints ?? etcdEndpoints).map(url => url.replace(/\/+$/, ''));
  const prefix = path.posix.join(options.prefix ?? DEFAULT_PREFIX);
  const configKey = path.posix.join(prefix, 'config');
  const config = toFlannelConfig(options);
  const { network, ca_path, certificate_path, certificate_key_path } = options;
  const optionProblem = network?.includes(':') ? ONLY_IPV4 : undefined;
  const createClient = () => new EtcdClient({ endpoints, files: toTlsFiles(options), connections, mayProceed });
  return {
    joinsAs: 'host',
    async checkConnection() {
      if (endpoints.length === 0) return { version: '', problems: [ENDPOINTS_REQUIRED] };
      const version = await createClient().version();
      const stored = (await createClient().get(configKey))?.value;
      const problems = [
        optionProblem ?? checkConfig(configKey, stored, config),
        ca_path !== undefined && certificate_path === undefined ? CA_NEEDS_CERTIFICATE : undefined,
      ];
      return { version, problems: problems.filter(problem => problem !== undefined) };
    },
    async ensureConfigured() {
      if (endpoints.length === 0) return ENDPOINTS_REQUIRED;
      if (optionProblem !== undefined) return optionProblem;
      const client = createClient();
      const existing =
        network === undefined ? await client.get(configKey) : await client.create(configKey, JSON.stringify(config));
      return checkConfig(configKey, existing?.value, config);
    },
    joinPlan: async host =>
      flanneldJoinPlan(host, {
        name,
        options: { 'etcd-endpoints': endpoints.join(','), 'etcd-prefix': prefix },
        // flanneld reads its own TLS files at the same paths; Hostler does not copy files to hosts.
        files: {
          'etcd-cafile': ca_path,
          'etcd-certfile': certificate_path,
          'etcd-keyfile': certificate_key_path,
        },
        network,
      }),
    leavePlan: async () => flanneldLeavePlan(name),
    async releaseHost(node) {
      if (endpoints.length === 0) return;
      // The trailing slash excludes other prefixes with the same beginning.
      await deleteLease(createClient(), `${path.posix.join(prefix, 'subnets')}/`, node);
    },
  };
}

export const flannelEtcd: NetworkDriver = {
  type: 'flannel_etcd',
  summary: 'flannel with its configuration in etcd',
  options: optionsSchema,
  // `endpoints` is not listed, because the members of etcd can change.
  immutableOptions: { prefix: DEFAULT_PREFIX },
  open: openFlannelEtcd,
};
