import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { memoryFolder } from '../stores/memory-folder.ts';
import type { OwnPostgres } from '../stores/postgres.ts';
import { startPostgres } from '../stores/postgres.ts';
import type { HostState } from './staying-hosts.ts';
import type { StoreHoldings } from './store-holdings.ts';
import { postgresHoldings, postgresHosts, sqliteHoldings, sqliteHosts } from './store-holdings.ts';

const ROOM_MB = 2500;

/** The store that all servers share, in a folder of its own, as it is read beside them. */
export class SoakStore {
  readonly #folder: string;
  readonly #postgres: OwnPostgres | undefined;
  readonly #db: pg.Client | undefined;

  private constructor(folder: string, postgres: OwnPostgres | undefined, db: pg.Client | undefined) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.#db = db;
  }

  static async open(kind: 'postgres' | 'sqlite'): Promise<SoakStore> {
    const parent = memoryFolder({ roomMb: ROOM_MB });
    const folder = mkdtempSync(path.join(parent, 'hostler-soak-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const postgres = kind === 'postgres' ? await startPostgres(parent) : undefined;
    if (kind === 'postgres' && postgres === undefined)
      throw new Error('PostgreSQL cannot be had here; as root on Debian, npm test installs it');
    const db = postgres && new pg.Client({ connectionString: postgres.url });
    await db?.connect();
    return new SoakStore(folder, postgres, db);
  }

  /** Of a server that is to use it. */
  get settings(): Readonly<Record<string, string>> {
    return { HOSTLER_STORE: this.#postgres?.url ?? 'sqlite', HOSTLER_DATA: this.#folder };
  }

  holdings(): StoreHoldings | Promise<StoreHoldings> {
    return this.#db ? postgresHoldings(this.#db) : sqliteHoldings(this.#file);
  }

  hosts(): readonly HostState[] | Promise<readonly HostState[]> {
    return this.#db ? postgresHosts(this.#db) : sqliteHosts(this.#file);
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
