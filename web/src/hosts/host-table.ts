// Hosts as lists show them: all, or those of one cluster. What must hold: rows are in the order of their addresses' numeric values, and what
// becomes of them by events is what reading them anew would tell, but for `unread`.

import type { Static } from 'typebox';
import type { HostEntry } from '#contract/routes/hosts.ts';
import type { HostStatus } from '#vocabulary';
import { addressSortKey } from './address-sort-key.ts';
import type { Labels } from './labels.ts';
import { formatLabels } from './labels.ts';

/** What only a read of the host tells. */
export interface HostDetails {
  readonly hostname: string;
  readonly os: string;
  readonly cpus: number;
  /** In KiB. */
  readonly memory: number;
}

export interface HostRow extends HostDetails {
  readonly address: string;
  readonly status: HostStatus;
  /** Empty: there is none. */
  readonly reason: string;
  /** Empty: none. */
  readonly cluster: string;
  readonly labels: Labels;
  readonly isInMaintenance: boolean;
  /** What a search looks into, in small letters. */
  readonly searchText: string;
}

export interface HostTable {
  /** Only hosts in this cluster; empty: only those in none; `undefined`: all hosts. */
  readonly cluster: string | undefined;
  readonly rows: readonly HostRow[];
  /** Where each address is among them. */
  readonly indexByAddress: ReadonlyMap<string, number>;
  /** Hosts of which something is to be read that no event tells: their facts, or all of one that has come without a row. */
  readonly missingDetails: ReadonlySet<string>;
}

export function createRow(row: Omit<HostRow, 'searchText'>): HostRow {
  const { address, hostname, cluster, os, labels } = row;
  return {
    ...row,
    searchText: [address, hostname, cluster, os, ...formatLabels(labels)].join('\n').toLowerCase(),
  };
}

export const toHostRow = (host: Static<typeof HostEntry>): HostRow => {
  const { address, status, os, cpus, memory, hostname = '', cluster = '', labels = {} } = host;
  const { reason = '', maintenance: isInMaintenance = false } = host;
  return createRow({ address, status, os, cpus, memory, hostname, cluster, labels, reason, isInMaintenance });
};

const indexRows = (rows: readonly HostRow[]) => new Map(rows.map(({ address }, index) => [address, index]));

/** Of rows in their order. */
export const createHostTable = (rows: readonly HostRow[], cluster?: string): HostTable => ({
  cluster,
  rows,
  indexByAddress: indexRows(rows),
  missingDetails: new Set(),
});

export function findHost({ rows, indexByAddress }: HostTable, address: string): HostRow | undefined {
  const index = indexByAddress.get(address);
  return index === undefined ? undefined : rows[index];
}

const sortRows = (rows: readonly HostRow[]): readonly HostRow[] =>
  rows
    .map(row => ({ row, key: addressSortKey(row.address) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);

/** Two lists in order as one. */
function mergeSorted(first: readonly HostRow[], second: readonly HostRow[]): readonly HostRow[] {
  const result: HostRow[] = [];
  const pending = second.map(row => ({ row, key: addressSortKey(row.address) }));
  let next = 0;
  for (const row of first) {
    const key = next < pending.length ? addressSortKey(row.address) : '';
    for (let other = pending[next]; other !== undefined && other.key < key; other = pending[next]) {
      result.push(other.row);
      next += 1;
    }
    result.push(row);
  }
  return [...result, ...pending.slice(next).map(({ row }) => row)];
}

/** The fleet with other rows; `undefined`: that host is gone. Cheap where only known hosts have changed, which happens all the time. */
export function updateRows(
  table: HostTable,
  changed: ReadonlyMap<string, HostRow | undefined>,
  missingDetails: ReadonlySet<string> = table.missingDetails,
): HostTable {
  const hasSameAddresses = [...changed].every(
    ([address, row]) => (row !== undefined) === table.indexByAddress.has(address),
  );
  if (hasSameAddresses) {
    const rows = table.rows.slice();
    for (const [address, row] of changed) {
      const index = table.indexByAddress.get(address);
      if (row !== undefined && index !== undefined) rows[index] = row;
    }
    return { ...table, rows, missingDetails };
  }
  const existing = table.rows.flatMap(row => {
    if (!changed.has(row.address)) return [row];
    const replacement = changed.get(row.address);
    return replacement === undefined ? [] : [replacement];
  });
  const added = [...changed.values()].filter(
    row => row !== undefined && !table.indexByAddress.has(row.address),
  );
  const rows = mergeSorted(existing, sortRows(added.filter(row => row !== undefined)));
  return { ...table, rows, indexByAddress: indexRows(rows), missingDetails };
}

const MAX_CONCURRENT_REQUESTS = 4;
/** Where more wait for it, all are read anew, which is quicker. */
const MAX_SINGLE_REQUESTS = 200;

/** What is to be read next: the facts of these hosts, or all. One that has come without a row is not known but by reading all. */
export function nextDetailsRequest({
  missingDetails,
  indexByAddress,
}: Pick<HostTable, 'missingDetails' | 'indexByAddress'>): readonly string[] | 'all' {
  const isAll =
    missingDetails.size > MAX_SINGLE_REQUESTS ||
    [...missingDetails].some(address => !indexByAddress.has(address));
  return isAll ? 'all' : [...missingDetails].slice(0, MAX_CONCURRENT_REQUESTS);
}

/** Whether each word of a search is somewhere in what a host is known by. */
export function matchesSearch(search: string): (row: Pick<HostRow, 'searchText'>) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ searchText }) => words.every(word => searchText.includes(word));
}

type HasSameFields = (a: HostRow, b: HostRow) => boolean;

/** An event leaves all other rows the very same objects, so that this takes next to no time, whatever `isAlike` looks at. */
const areRowsEqual = (
  rows: readonly HostRow[],
  otherRows: readonly HostRow[],
  hasSameFields: HasSameFields,
): boolean =>
  rows.length === otherRows.length &&
  rows.every((row, index) => {
    const other = otherRows[index];
    return other === row || (other !== undefined && hasSameFields(row, other));
  });

/** What is made of hosts, made anew only when something that matters has become of one of them. */
export function memoizeByRows<Result>(
  hasSameFields: HasSameFields,
  compute: (rows: readonly HostRow[]) => Result,
): (rows: readonly HostRow[]) => Result {
  let cached: { readonly rows: readonly HostRow[]; readonly result: Result } | undefined;
  return rows => {
    const result = cached && areRowsEqual(rows, cached.rows, hasSameFields) ? cached.result : compute(rows);
    cached = { rows, result };
    return result;
  };
}
