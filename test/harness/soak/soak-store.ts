import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { storeFilePath } from '../../../src/store/sqlite/open-sqlite.ts';
import { memoryFolder } from '../stores/memory-folder.ts';
import type { TestPostgres } from '../stores/postgres.ts';
import { startPostgres } from '../stores/postgres.ts';

const MIB = 1024 ** 2;

export interface StoreUsage {
  /** Including indexes. */
  readonly sizeMib: number;
  /** Row counts by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly connections: number;
  /** ID of the newest event. */
  readonly lastEvent: number;
  /** Oldest time by table with a retention period; UTC without a zone. */
  readonly oldest: Readonly<Record<string, string | null>>;
}

/** Host fields in the store. */
export interface HostState {
  readonly address: string;
  readonly status: string;
  /** UTC without a zone; empty before the first check. */
  readonly last_check: string;
}

const TABLES = `select relname as name, pg_total_relation_size(relid)::float8 as bytes
  from pg_stat_user_tables where schemaname = current_schema() order by relname`;
const COUNTERS = `select last_id::float8 as last_event,
  (select count(*)::float8 from pg_stat_activity where application_name = 'hostler') as connections from log_state`;

const OLDEST = `select (select min(at) from log) as log, (select min(finished_at) from operations) as operations`;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

async function measurePostgres(db: pg.Client): Promise<StoreUsage> {
  const tables = await db.query<{ name: string; bytes: number }>(TABLES);
  const counts = tables.rows.map(({ name }) => `select '${name}' as name, count(*)::float8 as rows from ${name}`);
  const counted = await db.query<{ name: string; rows: number }>(counts.join(' union all '));
  const others = await db.query<{ last_event: number; connections: number }>(COUNTERS);
  const oldest = await db.query<StoreUsage['oldest']>(OLDEST);
  return {
    sizeMib: sum(tables.rows.map(({ bytes }) => bytes)) / MIB,
    rows: Object.fromEntries(counted.rows.map(({ name, rows }) => [name, rows])),
    connections: others.rows[0]?.connections ?? 0,
    lastEvent: others.rows[0]?.last_event ?? 0,
    oldest: oldest.rows[0] ?? {},
  };
}

const HOSTS = 'select address, status, last_check from hosts';

/** The server has the database open. */
function withDatabase<Result>(file: string, read: (database: Database.Database) => Result): Result {
  const database = new Database(file, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

const measureSqlite = (file: string): StoreUsage =>
  withDatabase(file, database => {
    const readNumber = (sql: string) => Number(database.prepare(sql).pluck().get());
    const names = database
      .prepare<[], string>(`select name from sqlite_master where type = 'table' and name not like 'sqlite%'`)
      .pluck()
      .all();
    return {
      sizeMib: (readNumber('pragma page_count') * readNumber('pragma page_size')) / MIB,
      rows: Object.fromEntries(names.map(name => [name, readNumber(`select count(*) from ${name}`)])),
      connections: 0,
      lastEvent: readNumber('select last_id from log_state'),
      oldest: database.prepare<[], StoreUsage['oldest']>(OLDEST).get() ?? {},
    };
  });

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
    const parent = memoryFolder({ requiredMb: REQUIRED_MB });
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

  async hosts(): Promise<readonly HostState[]> {
    if (this.#db) return (await this.#db.query<HostState>(HOSTS)).rows;
    return withDatabase(this.#file, database => database.prepare<[], HostState>(HOSTS).all());
  }

  get #file(): string {
    return storeFilePath(this.#folder);
  }

  async close(): Promise<void> {
    await this.#db?.end();
    await this.#postgres?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
