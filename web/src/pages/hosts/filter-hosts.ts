// Runs on every keystroke over all hosts, so it must be fast.

import type { HostStatus } from '#vocabulary';
import type { HostRow } from '../../hosts/host-table.ts';
import { matchesSearch, memoizeByRows } from '../../hosts/host-table.ts';
import type { Labels } from '../../hosts/labels.ts';
import { formatLabels, hasLabel } from '../../hosts/labels.ts';
import type { HostsSearch } from './search.ts';
import { NO_CLUSTER } from './search.ts';

export interface FilteredHosts {
  readonly rows: readonly HostRow[];
  /** Number of hosts per status that match all other filters. */
  readonly counts: ReadonlyMap<HostStatus, number>;
  readonly total: number;
}

type HostPredicate = (row: HostRow) => boolean;

/** All filters except the status. */
function createFilter({ q = '', cluster, os, label }: HostsSearch): HostPredicate {
  const name = cluster === NO_CLUSTER ? '' : cluster;
  const tests: readonly HostPredicate[] = [
    ...(q === '' ? [] : [matchesSearch(q)]),
    ...(name === undefined ? [] : [(row: HostRow) => row.cluster === name]),
    ...(os === undefined ? [] : [(row: HostRow) => row.os === os]),
    ...(label === undefined ? [] : [hasLabel(label)]),
  ];
  return tests.length === 0 ? () => true : row => tests.every(test => test(row));
}

/** `sorted`: all hosts in the order of `search.sort`. */
export function filterHosts(sorted: readonly HostRow[], search: HostsSearch): FilteredHosts {
  const matches = createFilter(search);
  const counts = new Map<HostStatus, number>();
  const rows: HostRow[] = [];
  let total = 0;
  for (const row of sorted) {
    if (!matches(row)) continue;
    total += 1;
    counts.set(row.status, (counts.get(row.status) ?? 0) + 1);
    if (search.status === undefined || row.status === search.status) rows.push(row);
  }
  return { rows, counts, total };
}

interface FilterOptions {
  readonly systems: readonly string[];
  /** `key` or `key=value`. */
  readonly labels: readonly string[];
}

const MAX_LABELS = 200;

class LabelSet {
  readonly #values = new Map<string, Set<string>>();
  #size = 0;

  /** Does not format labels: that would take ten times as long. */
  add(labels: Labels): void {
    if (this.#size >= MAX_LABELS) return;
    for (const key in labels) {
      const [value = '', values = new Set<string>()] = [labels[key], this.#values.get(key)];
      if (values.has(value)) continue;
      this.#values.set(key, values.add(value));
      this.#size += 1;
    }
  }

  toTexts(): readonly string[] {
    return [...this.#values].flatMap(([key, values]) => [...values].flatMap(value => formatLabels({ [key]: value })));
  }
}

function collectOptions(rows: readonly HostRow[]): FilterOptions {
  const [systems, labels] = [new Set<string>(), new LabelSet()];
  for (const row of rows) {
    if (row.os !== '') systems.add(row.os);
    labels.add(row.labels);
  }
  return { systems: [...systems].sort(), labels: labels.toTexts().toSorted() };
}

const hasSameOptions = (row: HostRow, other: HostRow): boolean => row.labels === other.labels && row.os === other.os;

/** Returns the same object while the labels and operating systems of all hosts stay the same. */
export const createFilterOptions = () => memoizeByRows(hasSameOptions, collectOptions);
