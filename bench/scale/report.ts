import { availableParallelism } from 'node:os';
import { rowsWritten } from './meter.ts';
import type { Site } from './site.ts';
import type { Run } from './workloads.ts';

/** What stands below each other, and how wide it is. CPU is in seconds, for a thousand; what follows the shares is for each. */
const COLUMNS = {
  servers: 7,
  'each/s': 8,
  'CPU s/1,000: each server': 25,
  all: 7,
  database: 10,
  fleet: 7,
  'server at': 11,
  'database at': 13,
  'others at': 11,
  commits: 9,
  rows: 7,
  fsyncs: 8,
  'WAL B': 8,
  MiB: 5,
} as const;

type Cells = Readonly<Record<keyof typeof COLUMNS, string>>;

const inColumns = (textOf: (name: keyof Cells) => string) =>
  Object.entries(COLUMNS)
    .map(([name, width]) => textOf(name as keyof Cells).padStart(width))
    .join('');

export const heading = (what: string): string => `\n${what}:\n${inColumns(name => name)}`;

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);

/** Shares are of one core; of others, of the whole machine. */
export function line({ done, used, memoryMib }: Run): string {
  const seconds = used.atMs / 1000;
  const perThousand = (cpu: number) => ((1000 * cpu) / done).toFixed(2);
  const share = (cpu: number, cores = 1) => `${((100 * cpu) / seconds / cores).toFixed(0)} %`;
  const servers = sum(used.servers);
  const others = used.machine - servers - used.database - used.fleet;
  const cells: Cells = {
    servers: String(used.servers.length),
    'each/s': (done / seconds).toFixed(0),
    'CPU s/1,000: each server': used.servers.map(perThousand).join(' + '),
    all: perThousand(servers),
    database: perThousand(used.database),
    fleet: perThousand(used.fleet),
    'server at': share(Math.max(...used.servers)),
    'database at': share(used.database),
    'others at': share(others, availableParallelism()),
    commits: (used.commits / done).toFixed(2),
    rows: (rowsWritten(used) / done).toFixed(2),
    fsyncs: (used.walSyncs / done).toFixed(2),
    'WAL B': (used.walBytes / done).toFixed(0),
    MiB: Math.max(...memoryMib).toFixed(0),
  };
  return inColumns(name => cells[name]);
}

/** From the same at two paces: what there is anyway, and what each one more takes. */
export function fixedAndMore(few: Run, many: Run): string {
  const split = (cpuOf: (run: Run) => number) => {
    const rate = ({ done, used }: Run) => (1000 * done) / used.atMs;
    const share = (run: Run) => (1000 * cpuOf(run)) / run.used.atMs;
    const each = (share(many) - share(few)) / (rate(many) - rate(few));
    const anyway = share(few) - each * rate(few);
    return `${(100 * anyway).toFixed(1)} % of a core and ${(1000 * each).toFixed(2)} CPU s for 1,000 more`;
  };
  return `servers ${split(({ used }) => sum(used.servers))}; database ${split(({ used }) => used.database)}`;
}

/** Which tables were written to, for each thing that was done. */
export function rowsByTable({ done, used }: Run): string {
  const tables = Object.entries(used.tables)
    .map(([name, { inserted, updated, deleted, hot }]) => ({
      name,
      rows: inserted + updated + deleted,
      updated,
      hot,
    }))
    .filter(({ rows }) => rows / done > 0.01)
    .toSorted((a, b) => b.rows - a.rows);
  const shown = tables.map(({ name, rows, updated, hot }) => {
    const share = updated > 0 ? `, ${((100 * hot) / updated).toFixed(0)} % of updates without an index` : '';
    return `${name} ${(rows / done).toFixed(2)}${share}`;
  });
  return `    rows by table: ${shown.join('; ')}`;
}

const GROUPS = [
  { what: 'a host', tables: ['hosts', 'host_access', 'host_queue'], per: 'hosts' },
  { what: 'an entry of the log', tables: ['log'], per: 'log' },
  { what: 'a host of an operation', tables: ['operation_hosts', 'operation_output'], per: 'operation_hosts' },
];

/** Bytes on disk, indexes and all: as they are after all that was done, and packed anew. */
export async function sizes(site: Site): Promise<string[]> {
  const bytesOf = (tables: readonly string[]) =>
    site.number(tables.map(table => `pg_total_relation_size('${table}')`).join(' + '));
  const asFound: number[] = [];
  for (const { tables } of GROUPS) asFound.push(await bytesOf(tables));
  await site.db.query('vacuum full');
  const lines: string[] = ['\nbytes on disk, with indexes:'];
  for (const [index, { what, tables, per }] of GROUPS.entries()) {
    const count = await site.number(`select count(*) from ${per}`);
    if (count === 0) continue;
    const [found, packed] = [asFound[index] ?? 0, await bytesOf(tables)];
    lines.push(
      `    ${what.padEnd(24)}${(found / count).toFixed(0).padStart(8)}${(packed / count).toFixed(0).padStart(8)} packed`,
    );
  }
  return lines;
}
