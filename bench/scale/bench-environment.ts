// One PostgreSQL on disk, a simulated fleet in this process, and a changing number of servers.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Client } from '../../src/sdk/client.ts';
import { createClient } from '../../src/sdk/client.ts';
import type { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import { startPostgres } from '../../test/harness/stores/postgres.ts';
import { BenchServer, PASSWORD } from './bench-server.ts';
import type { ResourceUsage } from './resource-usage.ts';
import { findPostmaster, readUsage, subtractUsage } from './resource-usage.ts';
import { createFleet } from './simulated-hosts.ts';

const DATABASE = 'scale';

export class BenchEnvironment {
  readonly fleet: SimulatedFleet = createFleet();
  readonly secretKey = randomBytes(32);
  readonly db: pg.Client;
  readonly storeUrl: string;
  readonly #postmaster: number;
  readonly #folder: string;
  readonly #stopPostgres: () => Promise<void>;
  #servers: readonly BenchServer[] = [];

  private constructor(
    storeUrl: string,
    db: pg.Client,
    { folder, stopPostgres }: { folder: string; stopPostgres: () => Promise<void> },
  ) {
    this.storeUrl = storeUrl;
    this.db = db;
    this.#postmaster = findPostmaster(storeUrl);
    this.#folder = folder;
    this.#stopPostgres = stopPostgres;
  }

  /** Returns `undefined` if PostgreSQL is not installed. */
  static async open(folder: string): Promise<BenchEnvironment | undefined> {
    const postgres = await startPostgres();
    if (postgres === undefined) return undefined;
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query(`create database ${DATABASE}`);
    await admin.end();
    const url = new URL(postgres.url);
    url.pathname = `/${DATABASE}`;
    const db = new pg.Client({ connectionString: url.href });
    await db.connect();
    return new BenchEnvironment(url.href, db, { folder, stopPostgres: postgres.stop });
  }

  get servers(): readonly BenchServer[] {
    return this.#servers;
  }

  get client(): Client {
    return createClient({ baseUrl: this.#servers[0]?.url ?? '', user: 'admin', password: PASSWORD });
  }

  /** Runs `run` with `count` servers and stops them afterwards. */
  async withServers<T>(count: number, checkIntervalS: number, run: () => Promise<T>): Promise<T> {
    const options = {
      storeUrl: this.storeUrl,
      secretKey: this.secretKey.toString('base64'),
      checkIntervalS,
      folder: this.#folder,
    };
    const starts = Array.from({ length: count }, () => BenchServer.start(this.fleet, options));
    this.#servers = await Promise.all(starts);
    try {
      return await run();
    } finally {
      await Promise.all(this.#servers.map(server => server.stop()));
      this.#servers = [];
    }
  }

  async measure(run: () => Promise<void>): Promise<ResourceUsage> {
    const read = () => readUsage(this.db, this.#postmaster, this.#servers);
    const before = await read();
    await run();
    return subtractUsage(before, await read());
  }

  async queryNumber(query: string): Promise<number> {
    const { rows } = await this.db.query<{ value: string | number | null }>(`select (${query}) as value`);
    return Number(rows[0]?.value ?? 0);
  }

  async close(): Promise<void> {
    await this.db.end();
    await this.#stopPostgres();
  }
}
