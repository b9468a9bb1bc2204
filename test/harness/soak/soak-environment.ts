// Servers in their own processes on one store, and simulated hosts behind SSH servers of this process. Most
// hosts receive only health checks, busy clusters run operations continuously, and transient hosts
// are enrolled and removed.

import { randomBytes } from 'node:crypto';
import { ADMIN_PASSWORD } from '../credentials.ts';
import { SshSimulatedHosts } from '../host-fleets/ssh-simulated-hosts.ts';
import { runHostler } from '../programs/process.ts';
import { ServerProcess, USAGE_ARGS } from '../programs/server-process.ts';
import { AdminClient } from '../workload/admin-client.ts';
import { createCluster, enrolHosts } from '../workload/records.ts';
import { SCENARIO_SETTINGS } from '../workload/requests.ts';
import { SoakStore } from './soak-store.ts';

const HOSTS_PER_CLUSTER = 100;
/** Absolute session lifetime. */
export const SESSION_S = 120;
const MINUTES_PER_DAY = 1440;
/** The host clocks run faster than real time, so that tests wait less. */
const SPEED = 5;
const LATENCIES = { commandMs: 0, bootMs: 1500 };

/** Cluster of a host outside the busy clusters. Changes of hosts in one cluster block each other. */
export const clusterName = (index: number): string => `idle-${Math.floor(index / HOSTS_PER_CLUSTER)}`;

export interface SoakEnvironmentOptions {
  readonly store: 'postgres' | 'sqlite';
  readonly servers: number;
  /** Permanent hosts. */
  readonly hosts: number;
  readonly busyClusters: number;
  readonly hostsPerBusyCluster: number;
  /** Transient hosts. */
  readonly transientHosts: number;
  readonly checkIntervalS: number;
  /** Retention of operations and events. */
  readonly keepMinutes: number;
  /** Of the choice of servers, and of the times of clients. */
  readonly seed: number;
  /** Module to preload into the last server. */
  readonly preload?: string | undefined;
}

const createSettings = ({ keepMinutes, checkIntervalS }: SoakEnvironmentOptions) => ({
  HOSTLER_ADMIN_PASSWORD: ADMIN_PASSWORD,
  ...SCENARIO_SETTINGS,
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  HOSTLER_CHECK_INTERVAL_S: String(checkIntervalS),
  HOSTLER_RETENTION_OPERATIONS_DAYS: (keepMinutes / MINUTES_PER_DAY).toFixed(6),
  HOSTLER_RETENTION_EVENTS_DAYS: (keepMinutes / MINUTES_PER_DAY).toFixed(6),
  HOSTLER_SESSION_LIFETIME_S: String(SESSION_S),
  HOSTLER_EVENT_HEARTBEAT_S: '2',
  HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true',
  HOSTLER_LOG_LEVEL: 'warn',
});

export class SoakEnvironment {
  readonly options: SoakEnvironmentOptions;
  readonly fleet: SshSimulatedHosts;
  readonly servers: readonly ServerProcess[];
  readonly admin: AdminClient;
  readonly store: SoakStore;
  readonly #settings: Readonly<Record<string, string>>;

  private constructor(fields: {
    readonly options: SoakEnvironmentOptions;
    readonly fleet: SshSimulatedHosts;
    readonly servers: readonly ServerProcess[];
    readonly store: SoakStore;
    readonly settings: Readonly<Record<string, string>>;
  }) {
    this.options = fields.options;
    this.fleet = fields.fleet;
    this.servers = fields.servers;
    this.admin = new AdminClient(fields.servers, fields.options.seed);
    this.store = fields.store;
    this.#settings = fields.settings;
  }

  /** Does not enrol hosts. */
  static async open(options: SoakEnvironmentOptions): Promise<SoakEnvironment> {
    const store = await SoakStore.open(options.store);
    const settings = { ...createSettings(options), ...store.settings };
    const fleet = await SshSimulatedHosts.start({
      hosts: options.hosts + options.transientHosts,
      speed: SPEED,
      latencies: LATENCIES,
    });
    const servers: ServerProcess[] = [];
    for (let number = 1; number <= options.servers; number += 1) {
      const preload = number === options.servers && options.preload ? ['--import', options.preload] : [];
      const nodeArgs = [...USAGE_ARGS, ...preload];
      servers.push(await ServerProcess.start({ name: `server ${number}`, settings, nodeArgs }));
    }
    return new SoakEnvironment({ options, fleet, servers, store, settings });
  }

  get busyClusters(): readonly string[] {
    return Array.from({ length: this.options.busyClusters }, (_, index) => `busy-${index}`);
  }

  get permanentHosts(): readonly string[] {
    return [...this.fleet.endpoints.keys()].slice(0, this.options.hosts);
  }

  /** Permanent hosts outside the busy clusters, which receive only health checks. */
  get checkedHosts(): readonly string[] {
    return this.permanentHosts.slice(this.options.busyClusters * this.options.hostsPerBusyCluster);
  }

  listMembers(cluster: string): readonly string[] {
    const first = this.busyClusters.indexOf(cluster) * this.options.hostsPerBusyCluster;
    return this.permanentHosts.slice(first, first + this.options.hostsPerBusyCluster);
  }

  get transientHosts(): readonly string[] {
    return [...this.fleet.endpoints.keys()].slice(this.options.hosts);
  }

  /** Enrols the permanent hosts and waits until all are active. */
  async enrolAll(onProgress: (text: string) => void): Promise<void> {
    const clusters = this.permanentHosts.map((address, index) => {
      const cluster = this.busyClusters[Math.floor(index / this.options.hostsPerBusyCluster)];
      return [address, cluster ?? clusterName(index)] as const;
    });
    // For transient hosts.
    await createCluster(this.admin, clusterName(0));
    await enrolHosts(this.admin, this.fleet, new Map(clusters), onProgress);
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
