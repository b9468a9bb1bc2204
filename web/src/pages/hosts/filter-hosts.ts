// Which hosts are shown. It is done at each keystroke over all of them, so it is plain loops over what is ready.

import type { HostStatus } from '#vocabulary';
import type { HostRow } from '../../hosts/host-table.ts';
import { matchesSearch, memoizeByRows } from '../../hosts/host-table.ts';
import type { Labels } from '../../hosts/labels.ts';
import { formatLabels, hasLabel } from '../../hosts/labels.ts';
import type { HostsSearch } from './search.ts';
import { NO_CLUSTER } from './search.ts';

export interface FilteredHosts {
  readonly rows: readonly HostRow[];
  /** How many there are of each status, of those that keep to everything else. */
  readonly counts: ReadonlyMap<HostStatus, number>;
  /** Of all statuses together. */
  readonly total: number;
}

type HostPredicate = (row: HostRow) => boolean;

/** All but the status. */
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

/** `inOrder`: all hosts as `search.sort` wants them. */
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

// What there is to select from, beside the clusters: the systems and labels that hosts have.

export interface FilterOptions {
  readonly systems: readonly string[];
  /** As people write them. */
  readonly labels: readonly string[];
}

/** A list that is longer helps nobody. */
const MAX_LABELS = 200;

/** Labels of all kinds, and how many there are. */
class LabelSet {
  readonly #values = new Map<string, Set<string>>();
  #size = 0;

  /** Without a text for each, which takes ten times as long. */
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
    return [...this.#values].flatMap(([key, values]) =>
      [...values].flatMap(value => formatLabels({ [key]: value })),
    );
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

const hasSameOptions = (row: HostRow, other: HostRow): boolean =>
  row.labels === other.labels && row.os === other.os;

/** Answers the same choices for as long as hosts have the same labels and systems. */
export const createFilterOptions = () => memoizeByRows(hasSameOptions, collectOptions);
