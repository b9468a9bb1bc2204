// The rows of a host list: all hosts or the hosts of one cluster.
// Invariants: rows are sorted by the numeric value of their address. Applying events gives the same rows as a refetch,
// except for `missingDetails`.

import type { Static } from 'typebox';
import type { HostEntry } from '#contract/routes/hosts.ts';
import type { HostStatus } from '#vocabulary';
import { addressSortKey } from './addresses.ts';
import type { Labels } from './labels.ts';
import { formatLabels } from './labels.ts';

/** Fields that no event contains. */
export interface HostDetails {
  readonly hostname: string;
  readonly os: string;
  readonly cpus: number;
  /** KiB. */
  readonly memory: number;
}

export interface HostRow extends HostDetails {
  readonly address: string;
  readonly status: HostStatus;
  /** Empty if there is no reason. */
  readonly reason: string;
  /** Empty if the host is in no cluster. */
  readonly cluster: string;
  readonly labels: Labels;
  readonly isInMaintenance: boolean;
  /** Lowercase. */
  readonly searchText: string;
}

export interface HostTable {
  /** A name: hosts of this cluster. Empty: hosts in no cluster. Undefined: all hosts. */
  readonly cluster: string | undefined;
  readonly rows: readonly HostRow[];
  readonly indexByAddress: ReadonlyMap<string, number>;
  /** Hosts that need a fetch because events do not contain all fields. Includes hosts that have no row yet. */
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

/** Replaces rows; undefined removes a host. Cheap if the set of hosts does not change, which is the common case. */
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
  const added = [...changed.values()].filter(row => row !== undefined && !table.indexByAddress.has(row.address));
  const rows = mergeSorted(existing, sortRows(added.filter(row => row !== undefined)));
  return { ...table, rows, indexByAddress: indexRows(rows), missingDetails };
}

const MAX_CONCURRENT_REQUESTS = 4;
/** Above this number a refetch of the whole list is faster. */
const MAX_SINGLE_REQUESTS = 200;

/** Returns the hosts to fetch next, or `all`. A host without a row requires a fetch of the whole list. */
export function nextDetailsRequest({
  missingDetails,
  indexByAddress,
}: Pick<HostTable, 'missingDetails' | 'indexByAddress'>): readonly string[] | 'all' {
  const isAll =
    missingDetails.size > MAX_SINGLE_REQUESTS || [...missingDetails].some(address => !indexByAddress.has(address));
  return isAll ? 'all' : [...missingDetails].slice(0, MAX_CONCURRENT_REQUESTS);
}

/** A host matches if its text contains every word. */
export function matchesSearch(search: string): (row: Pick<HostRow, 'searchText'>) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ searchText }) => words.every(word => searchText.includes(word));
}

type HasSameFields = (a: HostRow, b: HostRow) => boolean;

/** Fast, because events keep unchanged rows as the same objects. */
const areRowsEqual = (rows: readonly HostRow[], otherRows: readonly HostRow[], hasSameFields: HasSameFields): boolean =>
  rows.length === otherRows.length &&
  rows.every((row, index) => {
    const other = otherRows[index];
    return other === row || (other !== undefined && hasSameFields(row, other));
  });

/** Caches the result until a row changes in a field that `hasSameFields` compares. */
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
