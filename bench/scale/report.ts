import { availableParallelism } from 'node:os';
import type { BenchEnvironment } from './bench-environment.ts';
import { rowsWritten } from './resource-usage.ts';
import type { Run } from './workloads.ts';

/** Column titles and widths. CPU is in seconds per thousand; columns after the shares are per unit. */
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

const formatColumns = (toText: (name: keyof Cells) => string) =>
  Object.entries(COLUMNS)
    .map(([name, width]) => toText(name as keyof Cells).padStart(width))
    .join('');

export const formatHeading = (title: string): string => `\n${title}:\n${formatColumns(name => name)}`;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Shares are per core; the share of others is per machine. */
export function formatRun({ completed, usage, memoryMib }: Run): string {
  const seconds = usage.atMs / 1000;
  const perThousand = (cpu: number) => ((1000 * cpu) / completed).toFixed(2);
  const share = (cpu: number, cores = 1) => `${((100 * cpu) / seconds / cores).toFixed(0)} %`;
  const servers = sum(usage.servers);
  const others = usage.machine - servers - usage.database - usage.fleet;
  const cells: Cells = {
    servers: String(usage.servers.length),
    'each/s': (completed / seconds).toFixed(0),
    'CPU s/1,000: each server': usage.servers.map(perThousand).join(' + '),
    all: perThousand(servers),
    database: perThousand(usage.database),
    fleet: perThousand(usage.fleet),
    'server at': share(Math.max(...usage.servers)),
    'database at': share(usage.database),
    'others at': share(others, availableParallelism()),
    commits: (usage.commits / completed).toFixed(2),
    rows: (rowsWritten(usage) / completed).toFixed(2),
    fsyncs: (usage.walSyncs / completed).toFixed(2),
    'WAL B': (usage.walBytes / completed).toFixed(0),
    MiB: Math.max(...memoryMib).toFixed(0),
  };
  return formatColumns(name => cells[name]);
}

/** Splits the cost of two rates into a fixed part and a part per unit. */
export function splitFixedCost(few: Run, many: Run): string {
  const split = (getCpu: (run: Run) => number) => {
    const rate = ({ completed, usage }: Run) => (1000 * completed) / usage.atMs;
    const share = (run: Run) => (1000 * getCpu(run)) / run.usage.atMs;
    const value = (share(many) - share(few)) / (rate(many) - rate(few));
    const fixed = share(few) - value * rate(few);
    return `${(100 * fixed).toFixed(1)} % of a core and ${(1000 * value).toFixed(2)} CPU s for 1,000 more`;
  };
  return `servers ${split(({ usage }) => sum(usage.servers))}; database ${split(({ usage }) => usage.database)}`;
}

/** Written rows by table, per unit. */
export function formatRowsByTable({ completed, usage }: Run): string {
  const tables = Object.entries(usage.tables)
    .map(([name, { inserted, updated, deleted, hot }]) => ({
      name,
      rows: inserted + updated + deleted,
      updated,
      hot,
    }))
    .filter(({ rows }) => rows / completed > 0.01)
    .toSorted((a, b) => b.rows - a.rows);
  const texts = tables.map(({ name, rows, updated, hot }) => {
    const share = updated > 0 ? `, ${((100 * hot) / updated).toFixed(0)} % of updates without an index` : '';
    return `${name} ${(rows / completed).toFixed(2)}${share}`;
  });
  return `    rows by table: ${texts.join('; ')}`;
}

const GROUPS = [
  { title: 'a host', tables: ['hosts', 'host_access', 'host_queue'], per: 'hosts' },
  { title: 'a log entry', tables: ['log'], per: 'log' },
  {
    title: 'a host of an operation',
    tables: ['operation_hosts', 'operation_output'],
    per: 'operation_hosts',
  },
];

/** Bytes on disk with indexes: after the benchmark, and after `vacuum full`. */
export async function measureSizes(environment: BenchEnvironment): Promise<string[]> {
  const measureBytes = (tables: readonly string[]) =>
    environment.queryNumber(tables.map(table => `pg_total_relation_size('${table}')`).join(' + '));
  const unpacked: number[] = [];
  for (const { tables } of GROUPS) unpacked.push(await measureBytes(tables));
  await environment.db.query('vacuum full');
  const lines: string[] = ['\nbytes on disk, with indexes:'];
  for (const [index, { title, tables, per }] of GROUPS.entries()) {
    const count = await environment.queryNumber(`select count(*) from ${per}`);
    if (count === 0) continue;
    const [before, packed] = [unpacked[index] ?? 0, await measureBytes(tables)];
    lines.push(
      `    ${title.padEnd(24)}${(before / count).toFixed(0).padStart(8)}${(packed / count).toFixed(0).padStart(8)} packed`,
    );
  }
  return lines;
}
