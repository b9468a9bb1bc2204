// Where it is measured: one PostgreSQL on disk, a fleet in this process, and as many servers as are asked for, one number after the other.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/client.ts';
import type { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import { startPostgres } from '../../test/harness/stores/postgres.ts';
import { BenchServer, PASSWORD } from './bench-server.ts';
import type { Reading } from './meter.ts';
import { between, postmasterOf, readMeter } from './meter.ts';
import { newFleet } from './serve-fleet.ts';

const DATABASE = 'scale';

export class Site {
  readonly fleet: SimulatedFleet = newFleet();
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
    this.#postmaster = postmasterOf(storeUrl);
    this.#folder = folder;
    this.#stopPostgres = stopPostgres;
  }

  /** `undefined` where PostgreSQL is not installed. */
  static async open(folder: string): Promise<Site | undefined> {
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
    return new Site(url.href, db, { folder, stopPostgres: postgres.stop });
  }

  get servers(): readonly BenchServer[] {
    return this.#servers;
  }

  /** Of the first server; any would do. */
  get client(): Client {
    return createClient({ baseUrl: this.#servers[0]?.url ?? '', user: 'admin', password: PASSWORD });
  }

  /** Does something with so many servers, which end afterwards. */
  async withServers<T>(count: number, checkIntervalS: number, work: () => Promise<T>): Promise<T> {
    const options = {
      storeUrl: this.storeUrl,
      secretKey: this.secretKey.toString('base64'),
      checkIntervalS,
      folder: this.#folder,
    };
    const starts = Array.from({ length: count }, () => BenchServer.start(this.fleet, options));
    this.#servers = await Promise.all(starts);
    try {
      return await work();
    } finally {
      await Promise.all(this.#servers.map(server => server.stop()));
      this.#servers = [];
    }
  }

  /** What something takes. */
  async measure(work: () => Promise<void>): Promise<Reading> {
    const read = () => readMeter(this.db, this.#postmaster, this.#servers);
    const before = await read();
    await work();
    return between(before, await read());
  }

  async number(query: string): Promise<number> {
    const { rows } = await this.db.query<{ number: string | number | null }>(`select (${query}) as number`);
    return Number(rows[0]?.number ?? 0);
  }

  async close(): Promise<void> {
    await this.db.end();
    await this.#stopPostgres();
  }
}
