import path from 'node:path';
import Type from 'typebox';
import type { Address } from '../../../domain/addresses/address.ts';
import { EtcdClient } from '../../../integrations/etcd/etcd-client.ts';
import type { EtcdEntry } from '../../../integrations/etcd/etcd-gateway.ts';
import type { TlsFiles } from '../../../integrations/http/tls-files.ts';
import type { CommandPlan, ConnectionCheck, HostRef } from '../../command-plan.ts';
import { CERTIFICATE_NEEDS_KEY, cidrOption, filePathOption, urlOption } from '../../option-schemas.ts';
import { backendOption, flanneldJoinPlan, flanneldLeavePlan } from '../flannel.ts';
import type { Network, NetworkContext, NetworkDriver } from '../network.ts';
import type { FlannelConfig } from './flannel-config.ts';
import { checkConfig, toFlannelConfig } from './flannel-config.ts';

/** A running flanneld can renew its lease at the same time. */
const MAX_ATTEMPTS = 3;

function isLeasedTo({ value, isLeased }: EtcdEntry, host: Address): boolean {
  // A subnet without expiry was reserved by an administrator.
  if (!isLeased) return false;
  try {
    const lease: unknown = JSON.parse(value);
    return typeof lease === 'object' && lease !== null && 'PublicIP' in lease && lease.PublicIP === host;
  } catch {
    return false;
  }
}

/** Deletes only the subnets that are leased to this host. */
export async function deleteLease(client: EtcdClient, folder: string, host: Address): Promise<void> {
  for (let attemptsLeft = MAX_ATTEMPTS; attemptsLeft > 0; attemptsLeft--) {
    const leases = (await client.getPrefix(folder)).filter(entry => isLeasedTo(entry, host));
    const deleted = await Promise.all(leases.map(lease => client.deleteUnchanged(lease)));
    if (deleted.every(Boolean)) return;
  }
  throw new Error(`the subnet lease of ${host} keeps being renewed; check whether flanneld still runs on the host`);
}

export const DEFAULT_PREFIX = '/coreos.com/network';
const ENDPOINTS_REQUIRED = 'flannel_etcd requires the option endpoints';

const textValue = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const isStringArray = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string');

function checkOptions({ Network }: FlannelConfig): string | undefined {
  return Network?.includes(':') ? 'flannel with etcd supports only IPv4 networks: set another network' : undefined;
}

/** flannel with its configuration and leases in etcd. */
export class FlannelEtcdNetwork implements Network {
  readonly #context: NetworkContext;
  readonly #endpoints: readonly string[];
  readonly #prefix: string;
  readonly #config: FlannelConfig;
  readonly #files: TlsFiles;

  constructor(context: NetworkContext) {
    const { options, etcdEndpoints } = context;
    this.#context = context;
    const endpoints = options['endpoints'];
    this.#endpoints = (isStringArray(endpoints) ? endpoints : etcdEndpoints).map(url => url.replace(/\/+$/, ''));
    this.#prefix = path.posix.join(textValue(options['prefix']) ?? DEFAULT_PREFIX);
    this.#config = toFlannelConfig(options);
    this.#files = {
      caPath: textValue(options['ca_path']),
      certificatePath: textValue(options['certificate_path']),
      certificateKeyPath: textValue(options['certificate_key_path']),
    };
  }

  async checkConnection(): Promise<ConnectionCheck> {
    if (this.#endpoints.length === 0) return { version: '', problems: [ENDPOINTS_REQUIRED] };
    const version = await this.#createClient().version();
    const { value } = (await this.#createClient().get(this.#configKey)) ?? {};
    const { caPath, certificatePath } = this.#files;
    const problems = [
      checkOptions(this.#config) ?? checkConfig(this.#configKey, value, this.#config),
      caPath !== undefined && certificatePath === undefined
        ? 'flanneld uses ca_path only together with certificate_path: set both, or make the hosts trust the authority'
        : undefined,
    ];
    return { version, problems: problems.filter(problem => problem !== undefined) };
  }

  async ensureConfigured(): Promise<string | undefined> {
    if (this.#endpoints.length === 0) return ENDPOINTS_REQUIRED;
    const problem = checkOptions(this.#config);
    if (problem !== undefined) return problem;
    const client = this.#createClient();
    if (this.#config.Network === undefined)
      return checkConfig(this.#configKey, (await client.get(this.#configKey))?.value, this.#config);
    const existing = await client.create(this.#configKey, JSON.stringify(this.#config));
    return checkConfig(this.#configKey, existing?.value, this.#config);
  }

  async joinPlan(host: HostRef): Promise<CommandPlan> {
    const { Network } = this.#config;
    return flanneldJoinPlan(host, {
      name: this.#context.name,
      options: { 'etcd-endpoints': this.#endpoints.join(','), 'etcd-prefix': this.#prefix },
      files: this.#tlsFilesOnHost(),
      ...(Network !== undefined && { network: Network }),
    });
  }

  async leavePlan(): Promise<CommandPlan> {
    return flanneldLeavePlan(this.#context);
  }

  async releaseHost(node: Address): Promise<void> {
    if (this.#endpoints.length === 0) return;
    // The trailing slash excludes other prefixes with the same beginning.
    await deleteLease(this.#createClient(), `${path.posix.join(this.#prefix, 'subnets')}/`, node);
  }

  get #configKey(): string {
    return path.posix.join(this.#prefix, 'config');
  }

  #createClient(): EtcdClient {
    const { connections, mayProceed } = this.#context;
    return new EtcdClient({ endpoints: this.#endpoints, files: this.#files, connections, mayProceed });
  }

  /** flanneld reads its own TLS files at the same paths; Hostler does not copy files to hosts. */
  #tlsFilesOnHost(): Readonly<Record<string, string>> {
    const { caPath, certificatePath, certificateKeyPath } = this.#files;
    return {
      ...(caPath !== undefined && { 'etcd-cafile': caPath }),
      ...(certificatePath !== undefined && { 'etcd-certfile': certificatePath }),
      ...(certificateKeyPath !== undefined && { 'etcd-keyfile': certificateKeyPath }),
    };
  }
}

const tlsFileOption = (description: string) =>
  Type.Optional(
    filePathOption(`${description} The file must exist at this path on the server machine and on each host.`),
  );

export const flannelEtcd: NetworkDriver = {
  type: 'flannel_etcd',
  summary: 'flannel with its configuration in etcd',
  options: Type.Object(
    {
      endpoints: Type.Optional(
        Type.Array(urlOption('Client URL of an etcd member.'), {
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
      network: Type.Optional(cidrOption('Network from which hosts get their subnets.')),
      backend: Type.Optional(backendOption),
      ca_path: tlsFileOption('CA certificates for etcd. Default: the CAs of the system.'),
      certificate_path: tlsFileOption('Client certificate. Requires `certificate_key_path`.'),
      certificate_key_path: tlsFileOption('Private key of the client certificate. Requires `certificate_path`.'),
    },
    {
      additionalProperties: false,
      ...CERTIFICATE_NEEDS_KEY,
    },
  ),
  // `endpoints` is not listed, because the members of etcd can change.
  immutableOptions: { prefix: DEFAULT_PREFIX },
  joinsAs: 'host',
  open: context => new FlannelEtcdNetwork(context),
};
