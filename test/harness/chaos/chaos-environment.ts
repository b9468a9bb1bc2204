import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { ADMIN_PASSWORD } from '../credentials.ts';
import type { HostFleet } from '../host-fleets/host-fleet.ts';
import { ServerProcess } from '../programs/server-process.ts';
import { memoryFolder } from '../stores/memory-folder.ts';
import type { TestPostgres } from '../stores/postgres.ts';
import { startPostgres, startPostgresProxy } from '../stores/postgres.ts';
import { waitUntil } from '../wait-until.ts';
import { AdminClient } from '../workload/admin-client.ts';
import { startOperation } from '../workload/operations.ts';
import { enrolHosts } from '../workload/records.ts';

const PRELOAD = path.join(import.meta.dirname, 'source-address.ts');
const REQUIRED_MB = 600;
const CLUSTER = 'web';
/** Long, because server faults must never fail a host. */
const TIMEOUTS = { stage: 600, apply: 600, reboot: 600, ready: 600 };
/** Open connections of a busy server; a health check lasts only some ten milliseconds. */
const BUSY_CONNECTIONS = 3;
const BUSY_TIMEOUT_MS = 2000;

interface ChaosEnvironmentOptions {
  readonly fleet: Promise<HostFleet>;
  readonly seed: number;
  readonly servers: number;
  readonly leaseS: number;
}

const settingsFor = (leaseS: number) => ({
  HOSTLER_ADMIN_PASSWORD: ADMIN_PASSWORD,
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  HOSTLER_LEASE_S: String(leaseS),
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '5',
  HOSTLER_EVENT_HEARTBEAT_S: '1',
  HOSTLER_LOG_LEVEL: 'warn',
});

interface ChaosServerOptions {
  /** Starts at 1. */
  readonly number: number;
  /** URL of the database over the socket of PostgreSQL. */
  readonly store: string;
  readonly fleet: HostFleet;
  readonly settings: Readonly<Record<string, string>>;
}

/** The server has its own proxy to PostgreSQL, and connects to hosts from its own source address. */
async function startServer({ number, store, fleet, settings }: ChaosServerOptions): Promise<ServerProcess> {
  const source = `127.250.0.${number}`;
  const { proxy, url } = await startPostgresProxy(store);
  return ServerProcess.start({
    name: `server ${number}`,
    settings: { ...settings, HOSTLER_STORE: url, SOURCE_ADDRESS: source },
    nodeArgs: ['--import', PRELOAD],
    // PostgreSQL may be down.
    maxRestarts: 30,
    links: { store: proxy, hosts: fleet.links, source },
  });
}

/** Servers in their own processes, one PostgreSQL, and hosts that outlive the servers. */
export class ChaosEnvironment {
  readonly fleet: HostFleet;
  readonly postgres: TestPostgres;
  readonly servers: readonly ServerProcess[];
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
  static async start(options: ChaosEnvironmentOptions): Promise<ChaosEnvironment> {
    const [fleet, postgres] = await Promise.all([
      options.fleet,
      startPostgres(memoryFolder({ requiredMb: REQUIRED_MB })),
    ]);
    if (postgres === undefined) throw new Error('PostgreSQL is not installed');
    const settings = settingsFor(options.leaseS);
    const servers = await Promise.all(
      Array.from({ length: options.servers }, (_, index) =>
        startServer({ number: index + 1, store: postgres.url, fleet, settings }),
      ),
    );
    const admin = new AdminClient(servers, options.seed);
    await enrolHosts(admin, fleet, new Map([...fleet.endpoints.keys()].map(address => [address, CLUSTER])));
    return new ChaosEnvironment({ fleet, postgres, servers, admin, leaseMs: options.leaseS * 1000 });
  }

  /** Restarts all hosts. Returns the ID of the operation. */
  startRestart(maxUnavailable: number): Promise<string> {
    const policy = { max_unavailable: maxUnavailable, min_healthy_s: 1, timeouts: TIMEOUTS };
    return startOperation(this.admin, CLUSTER, 'restart', policy);
  }

  /** Waits until a server has several connections to hosts. */
  async findBusiestServer(): Promise<ServerProcess> {
    const byConnections = () => this.servers.toSorted((a, b) => b.connectedHosts.length - a.connectedHosts.length);
    const findBusy = () => byConnections().find(({ connectedHosts }) => connectedHosts.length >= BUSY_CONNECTIONS);
    // Falls back to the server with the most connections.
    const found = await waitUntil('a busy server', findBusy, BUSY_TIMEOUT_MS).catch(() => byConnections()[0]);
    if (found === undefined) throw new Error('the environment has no server');
    return found;
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
