// Servers in their own processes on one store, and simulated hosts behind SSH servers of this process. Most
// hosts receive only health checks, some clusters (rings) run operations continuously, and transient hosts
// are enrolled and removed.

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AdminClient } from '../chaos/admin-client.ts';
import { SshSimulatedHosts } from '../chaos/ssh-simulated-hosts.ts';
import { runHostler } from '../programs/process.ts';
import { ADMIN_SETTINGS } from '../traffic/requests.ts';
import { waitUntil } from '../wait-until.ts';
import { SoakServer } from './soak-server.ts';
import { SoakStore } from './soak-store.ts';

const HOSTS_PER_CLUSTER = 100;
const ENROL_BATCH = 20;
const RESPONSE_TIMEOUT_MS = 60_000;
/** Enrolling 2,000 hosts on two cores. */
const READY_TIMEOUT_MS = 1_200_000;
const POLL_INTERVAL_MS = 1000;
const PROGRESS_INTERVAL_MS = 15_000;
/** Absolute session lifetime. */
export const SESSION_S = 120;
const MINUTES_PER_DAY = 1440;
/** The host clocks run faster than real time, so that tests wait less. */
const SPEED = 5;
const LATENCIES = { commandMs: 0, bootMs: 1500 };

/** Cluster of a host outside the rings. Changes of hosts in one cluster block each other. */
export const clusterName = (index: number): string => `rest-${Math.floor(index / HOSTS_PER_CLUSTER)}`;

export interface SoakEnvironmentOptions {
  readonly store: 'postgres' | 'sqlite';
  readonly servers: number;
  /** Permanent hosts. */
  readonly hosts: number;
  readonly rings: number;
  readonly hostsPerRing: number;
  /** Transient hosts. */
  readonly guests: number;
  readonly checkIntervalS: number;
  /** Retention of operations and events. */
  readonly keepMinutes: number;
  /** Module to preload into the last server. */
  readonly preload?: string | undefined;
}

const createSettings = ({ keepMinutes, checkIntervalS }: SoakEnvironmentOptions) => ({
  ...ADMIN_SETTINGS,
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  HOSTLER_CHECK_INTERVAL_S: String(checkIntervalS),
  HOSTLER_RETENTION_OPERATIONS_DAYS: (keepMinutes / MINUTES_PER_DAY).toFixed(6),
  HOSTLER_RETENTION_EVENTS_DAYS: (keepMinutes / MINUTES_PER_DAY).toFixed(6),
  HOSTLER_SESSION_LIFETIME_S: String(SESSION_S),
  HOSTLER_EVENT_HEARTBEAT_S: '2',
  HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true',
  HOSTLER_LOG_LEVEL: 'warn',
  // Required by the request scenarios.
  HOSTLER_TRUST_PROXY: '127.0.0.1',
  HOSTLER_LIMIT_FAILED_LOGINS: '2',
});

export class SoakEnvironment {
  readonly options: SoakEnvironmentOptions;
  readonly fleet: SshSimulatedHosts;
  readonly servers: readonly SoakServer[];
  readonly admin: AdminClient;
  readonly store: SoakStore;
  readonly #settings: Readonly<Record<string, string>>;

  private constructor(fields: {
    readonly options: SoakEnvironmentOptions;
    readonly fleet: SshSimulatedHosts;
    readonly servers: readonly SoakServer[];
    readonly store: SoakStore;
    readonly settings: Readonly<Record<string, string>>;
  }) {
    this.options = fields.options;
    this.fleet = fields.fleet;
    this.servers = fields.servers;
    this.admin = new AdminClient(fields.servers, 1);
    this.store = fields.store;
    this.#settings = fields.settings;
  }

  /** Does not enrol hosts. */
  static async open(options: SoakEnvironmentOptions): Promise<SoakEnvironment> {
    const store = await SoakStore.open(options.store);
    const settings = { ...createSettings(options), ...store.settings };
    const fleet = await SshSimulatedHosts.start({
      hosts: options.hosts + options.guests,
      speed: SPEED,
      latencies: LATENCIES,
    });
    const servers: SoakServer[] = [];
    for (let number = 1; number <= options.servers; number += 1) {
      const preloads = number === options.servers && options.preload !== undefined ? [options.preload] : [];
      servers.push(await SoakServer.start(`server ${number}`, settings, preloads));
    }
    return new SoakEnvironment({ options, fleet, servers, store, settings });
  }

  get urls(): readonly string[] {
    return this.servers.map(({ url }) => url);
  }

  get rings(): readonly string[] {
    return Array.from({ length: this.options.rings }, (_, index) => `ring-${index}`);
  }

  get permanentHosts(): readonly string[] {
    return [...this.fleet.endpoints.keys()].slice(0, this.options.hosts);
  }

  /** Permanent hosts outside the rings, which receive only health checks. */
  get checkedHosts(): readonly string[] {
    return this.permanentHosts.slice(this.options.rings * this.options.hostsPerRing);
  }

  listMembers(ring: string): readonly string[] {
    const first = this.rings.indexOf(ring) * this.options.hostsPerRing;
    return this.permanentHosts.slice(first, first + this.options.hostsPerRing);
  }

  get transientHosts(): readonly string[] {
    return [...this.fleet.endpoints.keys()].slice(this.options.hosts);
  }

  /** Fields of an enrolment request. */
  enrolment(address: string): object {
    return { ssh_priv_key: this.fleet.privateKey, ssh_port: this.fleet.endpoints.get(address)?.port };
  }

  /** Enrols the permanent hosts and waits until all are active. */
  async enrolAll(onProgress: (text: string) => void): Promise<void> {
    const { admin, options } = this;
    const hosts = this.permanentHosts.map((address, index) => ({
      ...{ address, ...this.enrolment(address) },
      cluster: this.rings[Math.floor(index / options.hostsPerRing)] ?? clusterName(index),
    }));
    for (const name of new Set(hosts.map(({ cluster }) => cluster)).add(clusterName(0)))
      await admin.requestUntilDone(`cluster/${name}`, { method: 'PUT', body: { network: 'default' } });
    for (let from = 0; from < hosts.length; from += ENROL_BATCH)
      await this.#enrol(hosts.slice(from, from + ENROL_BATCH));
    let nextMs = 0;
    const areActive = async () => {
      await delay(POLL_INTERVAL_MS);
      const active = await this.#countActive();
      if (performance.now() > nextMs) {
        nextMs = performance.now() + PROGRESS_INTERVAL_MS;
        onProgress(`${active} of ${options.hosts} hosts are active`);
      }
      return active === options.hosts;
    };
    await waitUntil('all hosts are active', areActive, READY_TIMEOUT_MS);
  }

  async #enrol(hosts: readonly object[]): Promise<void> {
    const request = { method: 'PUT', body: { hosts }, timeoutMs: RESPONSE_TIMEOUT_MS };
    const isDone = async () => (await this.admin.requestAny('hosts/bulk', request))?.status === 200;
    await waitUntil('hosts are enrolled', isDone, READY_TIMEOUT_MS);
  }

  async #countActive(): Promise<number> {
    const { body } = await this.admin.requestUntilDone('overview');
    return (body as { hosts: { by_status: { active: number } } }).hosts.by_status.active;
  }

  /** Retries until the record is removed. */
  async remove(target: string): Promise<void> {
    await waitUntil(`DELETE ${target}`, async () => {
      const response = await this.admin.requestAny(target, { method: 'DELETE' });
      // 404: the response to the previous request was lost.
      return response?.status === 200 || response?.status === 404;
    });
  }

  /** Verifies the hash chain of the repeatedly pruned log. */
  async verifyLog(): Promise<readonly string[]> {
    const program = runHostler(['audit', 'verify'], this.#settings);
    const { code } = await program.ended;
    return code === 0 && program.stdout.includes('the hash chain is valid')
      ? []
      : [`hostler audit verify ends with ${code}: ${program.stdout}${program.stderr}`];
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map(server => server.stop()));
    await this.fleet.stop();
    await this.store.close();
  }
}
