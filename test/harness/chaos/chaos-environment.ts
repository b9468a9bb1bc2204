import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import type { RunningProgram } from '../programs/process.ts';
import { runHostler } from '../programs/process.ts';
import { memoryFolder } from '../stores/memory-folder.ts';
import type { TestPostgres } from '../stores/postgres.ts';
import { startPostgres } from '../stores/postgres.ts';
import type { TcpProxy as DatabaseLink } from '../tcp-proxy.ts';
import { startTcpProxy } from '../tcp-proxy.ts';
import { ADMIN_SETTINGS } from '../traffic/requests.ts';
import { waitUntil } from '../wait-until.ts';
import { AdminClient } from './admin-client.ts';
import type { ChaosHosts } from './chaos-hosts.ts';

const PRELOAD = path.join(import.meta.dirname, 'source-address.ts');
/** Restarts the process like a supervisor. */
const MAX_STARTS = 30;

export interface ChaosServerOptions {
  /** Starts at 1. */
  readonly number: number;
  /** URL of the database over the socket of PostgreSQL. */
  readonly store: string;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * A server in its own process, with its own proxy to PostgreSQL. It connects to hosts from its own source
 * address.
 */
export class ChaosServer {
  readonly source: string;
  readonly databaseLink: DatabaseLink;
  readonly #settings: Readonly<Record<string, string>>;
  #program: RunningProgram | undefined;
  #url: string | undefined;

  private constructor({ number, store, settings }: ChaosServerOptions, databaseLink: DatabaseLink) {
    this.source = `127.250.0.${number}`;
    this.databaseLink = databaseLink;
    const url = new URL(store);
    url.search = '';
    url.host = `127.0.0.1:${databaseLink.port}`;
    const ownSettings = {
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_STORE: url.href,
      SOURCE_ADDRESS: this.source,
    };
    this.#settings = { ...settings, ...ownSettings };
  }

  static async create(options: ChaosServerOptions): Promise<ChaosServer> {
    const folder = new URL(options.store).searchParams.get('host') ?? '';
    return new ChaosServer(options, await startTcpProxy(path.join(folder, '.s.PGSQL.5432')));
  }

  /** `undefined` while the server is not running. */
  get url(): string | undefined {
    return this.#url;
  }

  get log(): string {
    return this.#program?.stderr ?? '';
  }

  /** Retries, because PostgreSQL may be down. */
  async start(): Promise<void> {
    for (let attemptsLeft = MAX_STARTS; ; attemptsLeft -= 1) {
      const program = runHostler(['serve'], this.#settings, ['--import', PRELOAD]);
      this.#program = program;
      try {
        this.#url = await program.url();
        return;
      } catch (error) {
        if (attemptsLeft <= 1) throw error;
      }
    }
  }

  async terminate(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#url = undefined;
    await this.#program?.kill(signal);
  }

  freeze(): void {
    this.#program?.child.kill('SIGSTOP');
  }

  resume(): void {
    this.#program?.child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.terminate('SIGKILL');
    await this.databaseLink.cut();
  }
}

// Servers in their own processes, one PostgreSQL with fsync, and hosts that outlive them.

const REQUIRED_MB = 600;
const READY_TIMEOUT_MS = 120_000;
const CONCURRENCY = 6;
export const CLUSTER = 'web';

interface ChaosEnvironmentOptions {
  readonly fleet: Promise<ChaosHosts>;
  readonly seed: number;
  readonly servers: number;
  readonly leaseS: number;
}

const settingsFor = (leaseS: number) => ({
  ...ADMIN_SETTINGS,
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  HOSTLER_LEASE_S: String(leaseS),
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '5',
  HOSTLER_EVENT_HEARTBEAT_S: '1',
  HOSTLER_LOG_LEVEL: 'warn',
});

export class ChaosEnvironment {
  readonly fleet: ChaosHosts;
  readonly postgres: TestPostgres;
  readonly servers: readonly ChaosServer[];
  readonly admin: AdminClient;
  readonly leaseMs: number;

  private constructor(fields: Pick<ChaosEnvironment, 'fleet' | 'postgres' | 'servers' | 'admin' | 'leaseMs'>) {
    this.leaseMs = fields.leaseMs;
    this.fleet = fields.fleet;
    this.postgres = fields.postgres;
    this.servers = fields.servers;
    this.admin = fields.admin;
  }

  /** All hosts are in one cluster and active. */
  static async start({
    seed,
    servers: count,
    leaseS,
    fleet: startingHosts,
  }: ChaosEnvironmentOptions): Promise<ChaosEnvironment> {
    const postgres = await startPostgres(memoryFolder({ roomMb: REQUIRED_MB }));
    if (postgres === undefined) throw new Error('PostgreSQL is not installed');
    const settings = settingsFor(leaseS);
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const servers = await Promise.all(
      numbers.map(number => ChaosServer.create({ number, store: postgres.url, settings })),
    );
    const [fleet] = await Promise.all([startingHosts, ...servers.map(server => server.start())]);
    const environment = new ChaosEnvironment({
      ...{ fleet, postgres, servers },
      admin: new AdminClient(servers, seed),
      leaseMs: leaseS * 1000,
    });
    await environment.#enrol();
    return environment;
  }

  async #enrol(): Promise<void> {
    const { admin, fleet } = this;
    await admin.requestUntilDone(`cluster/${CLUSTER}`, { method: 'PUT', body: { network: 'default' } });
    const pending = [...fleet.endpoints];
    const enrolNext = async () => {
      for (let next = pending.pop(); next; next = pending.pop()) {
        const [address, { port }] = next;
        const body = { ssh_priv_key: fleet.privateKey, ssh_port: port, cluster: CLUSTER };
        await admin.requestUntilDone(`host/${address}`, { method: 'PUT', body });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, enrolNext));
    await waitUntil(
      'all hosts are active',
      async () => (await this.#countActive()) === fleet.endpoints.size,
      READY_TIMEOUT_MS,
    );
  }

  async #countActive(): Promise<number> {
    const [row] = await this.query<{ active: string }>("select count(*) as active from hosts where status = 'active'");
    return Number(row?.active);
  }

  /** Queries PostgreSQL directly. */
  async query<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map(server => server.stop()));
    await this.fleet.stop();
    await this.postgres.stop();
  }
}
