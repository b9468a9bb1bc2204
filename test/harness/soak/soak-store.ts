import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { memoryFolder } from '../stores/memory-folder.ts';
import type { TestPostgres } from '../stores/postgres.ts';
import { startPostgres } from '../stores/postgres.ts';
import type { HostState, StoreUsage } from './store-contents.ts';
import { listPostgresHosts, listSqliteHosts, measurePostgres, measureSqlite } from './store-contents.ts';

const REQUIRED_MB = 2500;

/** The store of all servers, also read directly by the test. */
export class SoakStore {
  readonly #folder: string;
  readonly #postgres: TestPostgres | undefined;
  readonly #db: pg.Client | undefined;

  private constructor(folder: string, postgres: TestPostgres | undefined, db: pg.Client | undefined) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.#db = db;
  }

  static async open(kind: 'postgres' | 'sqlite'): Promise<SoakStore> {
    const parent = memoryFolder({ roomMb: REQUIRED_MB });
    const folder = mkdtempSync(path.join(parent, 'hostler-soak-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const postgres = kind === 'postgres' ? await startPostgres(parent) : undefined;
    if (kind === 'postgres' && postgres === undefined)
      throw new Error('PostgreSQL is not installed; as root on Debian, npm test installs it');
    const db = postgres && new pg.Client({ connectionString: postgres.url });
    await db?.connect();
    return new SoakStore(folder, postgres, db);
  }

  /** Settings of a server that uses it. */
  get settings(): Readonly<Record<string, string>> {
    return { HOSTLER_STORE: this.#postgres?.url ?? 'sqlite', HOSTLER_DATA: this.#folder };
  }

  measureUsage(): StoreUsage | Promise<StoreUsage> {
    return this.#db ? measurePostgres(this.#db) : measureSqlite(this.#file);
  }

  hosts(): readonly HostState[] | Promise<readonly HostState[]> {
    return this.#db ? listPostgresHosts(this.#db) : listSqliteHosts(this.#file);
  }

  get #file(): string {
    return path.join(this.#folder, 'hostler.sqlite');
  }

  async close(): Promise<void> {
    await this.#db?.end();
    await this.#postgres?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
