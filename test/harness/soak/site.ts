// Servers in processes of their own on one store, and hosts behind SSH servers of this process. Most of the hosts are only watched; some
// clusters, the rings, are restarted again and again; and some hosts come and go.

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { People } from '../chaos/people.ts';
import { SshFleet } from '../chaos/ssh-fleet.ts';
import { runHostler } from '../programs/process.ts';
import { ADMIN_SETTINGS } from '../traffic/steps.ts';
import { until } from '../until.ts';
import { SoakServer } from './soak-server.ts';
import { SoakStore } from './soak-store.ts';

const HOSTS_PER_REST = 100;
const ENROLLED_AT_ONCE = 20;
const ANSWER_WITHIN_MS = 60_000;
/** Two thousand hosts, on two cores. */
const READY_WITHIN_MS = 1_200_000;
const LOOK_EVERY_MS = 1000;
const SAY_EVERY_MS = 15_000;
/** However much it is used. */
export const SESSION_S = 120;
const MINUTES_PER_DAY = 1440;
/** The clocks of hosts go faster than ours, so that less is waited for. */
const SPEED = 5;
const TIMES = { commandMs: 0, bootMs: 1500 };

/** The cluster of a host that is in no ring. Those that are changed at the same time wait for each other in a cluster. */
export const restOf = (index: number): string => `rest-${Math.floor(index / HOSTS_PER_REST)}`;

export interface SiteOptions {
  readonly store: 'postgres' | 'sqlite';
  readonly servers: number;
  /** That stay. */
  readonly hosts: number;
  readonly rings: number;
  readonly hostsPerRing: number;
  /** That come and go. */
  readonly guests: number;
  readonly checkIntervalS: number;
  /** For how long operations and the log are kept. */
  readonly keepMinutes: number;
  /** A module that is loaded into the last server. */
  readonly preload?: string | undefined;
}

const settingsOf = ({ keepMinutes, checkIntervalS }: SiteOptions) => ({
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
  // What the errands count on.
  HOSTLER_TRUST_PROXY: '127.0.0.1',
  HOSTLER_LIMIT_FAILED_LOGINS: '2',
});

export class Site {
  readonly options: SiteOptions;
  readonly fleet: SshFleet;
  readonly servers: readonly SoakServer[];
  readonly people: People;
  readonly store: SoakStore;
  readonly #settings: Readonly<Record<string, string>>;

  private constructor(parts: {
    readonly options: SiteOptions;
    readonly fleet: SshFleet;
    readonly servers: readonly SoakServer[];
    readonly store: SoakStore;
    readonly settings: Readonly<Record<string, string>>;
  }) {
    this.options = parts.options;
    this.fleet = parts.fleet;
    this.servers = parts.servers;
    this.people = new People(parts.servers, 1);
    this.store = parts.store;
    this.#settings = parts.settings;
  }

  /** Nothing is enrolled yet. */
  static async open(options: SiteOptions): Promise<Site> {
    const store = await SoakStore.open(options.store);
    const settings = { ...settingsOf(options), ...store.settings };
    const fleet = await SshFleet.start({ hosts: options.hosts + options.guests, speed: SPEED, times: TIMES });
    const servers: SoakServer[] = [];
    for (let number = 1; number <= options.servers; number += 1) {
      const preloads = number === options.servers && options.preload !== undefined ? [options.preload] : [];
      servers.push(await SoakServer.start(`server ${number}`, settings, preloads));
    }
    return new Site({ options, fleet, servers, store, settings });
  }

  get urls(): readonly string[] {
    return this.servers.map(({ url }) => url);
  }

  get rings(): readonly string[] {
    return Array.from({ length: this.options.rings }, (_, index) => `ring-${index}`);
  }

  /** Addresses of those that stay. */
  get staying(): readonly string[] {
    return [...this.fleet.doors.keys()].slice(0, this.options.hosts);
  }

  /** Of those that stay and are in no ring: nobody comes to them but to check them. */
  get watched(): readonly string[] {
    return this.staying.slice(this.options.rings * this.options.hostsPerRing);
  }

  membersOf(ring: string): readonly string[] {
    const first = this.rings.indexOf(ring) * this.options.hostsPerRing;
    return this.staying.slice(first, first + this.options.hostsPerRing);
  }

  /** Addresses of those that come and go. */
  get guests(): readonly string[] {
    return [...this.fleet.doors.keys()].slice(this.options.hosts);
  }

  /** How a host is enrolled. */
  enrolment(address: string): object {
    return { ssh_priv_key: this.fleet.privateKey, ssh_port: this.fleet.doors.get(address)?.port };
  }

  /** Until all that stay are active. */
  async enrolAll(say: (text: string) => void): Promise<void> {
    const { people, options } = this;
    const hosts = this.staying.map((address, index) => ({
      ...{ address, ...this.enrolment(address) },
      cluster: this.rings[Math.floor(index / options.hostsPerRing)] ?? restOf(index),
    }));
    for (const name of new Set(hosts.map(({ cluster }) => cluster)).add(restOf(0)))
      await people.insist(`cluster/${name}`, { method: 'PUT', body: { network: 'default' } });
    for (let from = 0; from < hosts.length; from += ENROLLED_AT_ONCE)
      await this.#enrol(hosts.slice(from, from + ENROLLED_AT_ONCE));
    let nextMs = 0;
    const areActive = async () => {
      await delay(LOOK_EVERY_MS);
      const active = await this.#active();
      if (performance.now() > nextMs) {
        nextMs = performance.now() + SAY_EVERY_MS;
        say(`${active} of ${options.hosts} hosts are active`);
      }
      return active === options.hosts;
    };
    await until('all hosts are active', areActive, READY_WITHIN_MS);
  }

  async #enrol(hosts: readonly object[]): Promise<void> {
    const request = { method: 'PUT', body: { hosts }, timeoutMs: ANSWER_WITHIN_MS };
    const isDone = async () => (await this.people.askAny('hosts/bulk', request))?.status === 200;
    await until('hosts are enrolled', isDone, READY_WITHIN_MS);
  }

  async #active(): Promise<number> {
    const { body } = await this.people.insist('overview');
    return (body as { hosts: { by_status: { active: number } } }).hosts.by_status.active;
  }

  /** Asks until it is removed. */
  async remove(target: string): Promise<void> {
    await until(`DELETE ${target}`, async () => {
      const answer = await this.people.askAny(target, { method: 'DELETE' });
      // 404: the answer to the one before was lost.
      return answer?.status === 200 || answer?.status === 404;
    });
  }

  /** Of the chain of the log, which was cut off again and again. */
  async logProblems(): Promise<readonly string[]> {
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
