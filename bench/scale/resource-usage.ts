// Resource usage by process and in the database.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { readCpuSeconds, TICKS_PER_S } from '../measure.ts';
import type { BenchServer } from './bench-server.ts';

interface TableWrites {
  readonly inserted: number;
  readonly updated: number;
  /** Number of updates without index changes. */
  readonly hot: number;
  readonly deleted: number;
}

export interface ResourceUsage {
  readonly atMs: number;
  /**
   * CPU seconds of each server, of the database with all its processes, and of this process with the simulated fleet.
   */
  readonly servers: readonly number[];
  readonly database: number;
  readonly fleet: number;
  /** All processes of this machine. */
  readonly machine: number;
  readonly commits: number;
  readonly walBytes: number;
  /** Number of fsyncs of the write-ahead log. */
  readonly walSyncs: number;
  readonly tables: Readonly<Record<string, TableWrites>>;
}

/** The URL of the database contains its folder. */
export function findPostmaster(url: string): number {
  const folder = new URL(url).searchParams.get('host') ?? '';
  return Number.parseInt(readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8'), 10);
}

function databaseCpu(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  const running = children.map(child => {
    try {
      return readCpuSeconds(Number(child), 'own');
    } catch {
      // The process has ended and is counted with the ended children.
      return 0;
    }
  });
  const ended = readCpuSeconds(postmaster, 'own') + readCpuSeconds(postmaster, 'ended_children');
  return running.reduce((sum, each) => sum + each, ended);
}

/** The fields are user, nice, system, idle, iowait, irq and softirq. */
function machineCpu(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq) / TICKS_PER_S;
}

const TOTALS = `select xact_commit::float8 as commits, wal_sync::float8 as syncs,
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal
  from pg_stat_database, pg_stat_wal where datname = current_database()`;
const TABLES = `select relname as name, n_tup_ins::float8 as inserted, n_tup_upd::float8 as updated,
  n_tup_hot_upd::float8 as hot, n_tup_del::float8 as deleted from pg_stat_user_tables order by relname`;

export async function readUsage(
  db: pg.Client,
  postmaster: number,
  servers: readonly BenchServer[],
): Promise<ResourceUsage> {
  const totals = await db.query<{ commits: number; syncs: number; wal: number }>(TOTALS);
  const tables = await db.query<TableWrites & { name: string }>(TABLES);
  return {
    atMs: performance.now(),
    servers: servers.map(({ pid }) => readCpuSeconds(pid, 'own')),
    database: databaseCpu(postmaster),
    fleet: readCpuSeconds('self', 'own'),
    machine: machineCpu(),
    commits: totals.rows[0]?.commits ?? 0,
    walBytes: totals.rows[0]?.wal ?? 0,
    walSyncs: totals.rows[0]?.syncs ?? 0,
    tables: Object.fromEntries(tables.rows.map(({ name, ...writes }) => [name, writes])),
  };
}

const NO_WRITES: TableWrites = { inserted: 0, updated: 0, hot: 0, deleted: 0 };

export function subtractUsage(from: ResourceUsage, to: ResourceUsage): ResourceUsage {
  const tables = Object.entries(to.tables).map(([name, after]) => {
    const before = from.tables[name] ?? NO_WRITES;
    return [
      name,
      {
        inserted: after.inserted - before.inserted,
        updated: after.updated - before.updated,
        hot: after.hot - before.hot,
        deleted: after.deleted - before.deleted,
      },
    ] as const;
  });
  return {
    atMs: to.atMs - from.atMs,
    servers: to.servers.map((seconds, index) => seconds - (from.servers[index] ?? 0)),
    database: to.database - from.database,
    fleet: to.fleet - from.fleet,
    machine: to.machine - from.machine,
    commits: to.commits - from.commits,
    walBytes: to.walBytes - from.walBytes,
    walSyncs: to.walSyncs - from.walSyncs,
    tables: Object.fromEntries(tables),
  };
}

export const rowsWritten = ({ tables }: ResourceUsage): number =>
  Object.values(tables).reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0);
