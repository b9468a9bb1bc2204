import path from 'node:path';
import { EtcdClient } from '../../../clients/etcd/etcd-client.ts';
import type { TlsFiles } from '../../../clients/tls-files.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { CheckReport } from '../../check-report.ts';
import type { HostTask, TaskHost } from '../../host-task.ts';
import { enterTask, leaveTask } from '../flanneld-unit.ts';
import type { Network, NetworkRecord } from '../network.ts';
import type { FlannelConfiguration } from './flannel-configuration.ts';
import { configurationOf, problemWith } from './flannel-configuration.ts';
import { forgetLease } from './forget-lease.ts';

export const STANDARD_PREFIX = '/coreos.com/network';
/** As people are told; nothing can be asked without. */
const NO_ENDPOINTS = 'flannel_etcd requires the option endpoints';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string');

/** What can be known of the options without asking anybody. */
function optionsProblem({ Network }: FlannelConfiguration): string | undefined {
  return Network?.includes(':')
    ? 'flannel with etcd supports only IPv4 networks: set another network'
    : undefined;
}

/** flannel whose configuration and leases are in etcd. */
export class FlannelEtcd implements Network {
  readonly #record: NetworkRecord;
  readonly #endpoints: readonly string[];
  readonly #prefix: string;
  readonly #configuration: FlannelConfiguration;
  readonly #files: TlsFiles;

  constructor(record: NetworkRecord) {
    const { options, etcdEndpoints } = record;
    this.#record = record;
    const given = options['endpoints'];
    this.#endpoints = (isTexts(given) ? given : etcdEndpoints).map(url => url.replace(/\/+$/, ''));
    this.#prefix = path.posix.join(textOf(options['prefix']) ?? STANDARD_PREFIX);
    this.#configuration = configurationOf(options);
    this.#files = {
      caPath: textOf(options['ca_path']),
      certificatePath: textOf(options['certificate_path']),
      certificateKeyPath: textOf(options['certificate_key_path']),
    };
  }

  async check(): Promise<CheckReport> {
    if (this.#endpoints.length === 0) return { version: '', problems: [NO_ENDPOINTS] };
    const version = await this.#client().version();
    const { value } = (await this.#client().get(this.#key)) ?? {};
    const { caPath, certificatePath } = this.#files;
    const problems = [
      optionsProblem(this.#configuration) ?? problemWith(this.#key, value, this.#configuration),
      caPath !== undefined && certificatePath === undefined
        ? 'flanneld uses ca_path only together with certificate_path: set both, or make the hosts trust the authority'
        : undefined,
    ];
    return { version, problems: problems.filter(problem => problem !== undefined) };
  }

  async prepare(): Promise<string | undefined> {
    if (this.#endpoints.length === 0) return NO_ENDPOINTS;
    const problem = optionsProblem(this.#configuration);
    if (problem !== undefined) return problem;
    const client = this.#client();
    if (this.#configuration.Network === undefined)
      return problemWith(this.#key, (await client.get(this.#key))?.value, this.#configuration);
    const there = await client.create(this.#key, JSON.stringify(this.#configuration));
    return problemWith(this.#key, there?.value, this.#configuration);
  }

  async joinTask(host: TaskHost): Promise<HostTask> {
    const { Network } = this.#configuration;
    return enterTask(host, {
      name: this.#record.name,
      options: { 'etcd-endpoints': this.#endpoints.join(','), 'etcd-prefix': this.#prefix },
      files: this.#filesOnHost(),
      ...(Network !== undefined && { network: Network }),
    });
  }

  async leaveTask(): Promise<HostTask> {
    return leaveTask(this.#record);
  }

  async forget(node: Address): Promise<void> {
    if (this.#endpoints.length === 0) return;
    // With the slash, so that no other prefix is meant that begins the same.
    await forgetLease(this.#client(), `${path.posix.join(this.#prefix, 'subnets')}/`, node);
  }

  get #key(): string {
    return path.posix.join(this.#prefix, 'config');
  }

  #client(): EtcdClient {
    const { connections, mayProceed } = this.#record;
    return new EtcdClient({ endpoints: this.#endpoints, files: this.#files, connections, mayProceed });
  }

  /** At the paths that ours have here: nothing that the server can read gets onto a host. */
  #filesOnHost(): Readonly<Record<string, string>> {
    const { caPath, certificatePath, certificateKeyPath } = this.#files;
    return {
      ...(caPath !== undefined && { 'etcd-cafile': caPath }),
      ...(certificatePath !== undefined && { 'etcd-certfile': certificatePath }),
      ...(certificateKeyPath !== undefined && { 'etcd-keyfile': certificateKeyPath }),
    };
  }
}
