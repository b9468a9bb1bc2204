// Which hosts are shown. It is done at each keystroke over all of them, so it is plain loops over what is ready.

import type { HostStatus } from '#vocabulary';
import type { Fleet, HostRow } from '../../fleet/fleet.ts';
import { hasWords } from '../../fleet/has-words.ts';
import type { Labels } from '../../fleet/labels.ts';
import { hasLabel, labelTexts } from '../../fleet/labels.ts';
import type { HostsSearch } from './search.ts';
import { IN_NO_CLUSTER } from './search.ts';

export interface ShownHosts {
  readonly rows: readonly HostRow[];
  /** How many there are of each status, of those that keep to everything else. */
  readonly counts: ReadonlyMap<HostStatus, number>;
  /** Of all statuses together. */
  readonly total: number;
}

type IsMeant = (row: HostRow) => boolean;

/** All but the status. */
function filterOf({ q = '', cluster, os, label }: HostsSearch): IsMeant {
  const name = cluster === IN_NO_CLUSTER ? '' : cluster;
  const tests: readonly IsMeant[] = [
    ...(q === '' ? [] : [hasWords(q)]),
    ...(name === undefined ? [] : [(row: HostRow) => row.cluster === name]),
    ...(os === undefined ? [] : [(row: HostRow) => row.os === os]),
    ...(label === undefined ? [] : [hasLabel(label)]),
  ];
  return row => tests.every(test => test(row));
}

/** `inOrder`: all hosts as `search.sort` wants them. */
export function shownHosts(inOrder: readonly HostRow[], search: HostsSearch): ShownHosts {
  const isMeant = filterOf(search);
  const counts = new Map<HostStatus, number>();
  const found: HostRow[] = [];
  let total = 0;
  for (const row of inOrder) {
    if (!isMeant(row)) continue;
    total += 1;
    counts.set(row.status, (counts.get(row.status) ?? 0) + 1);
    if (search.status === undefined || row.status === search.status) found.push(row);
  }
  return { rows: found, counts, total };
}

/** A list that is longer helps nobody. */
const MOST_LABELS = 200;

/** Labels of all kinds, and how many there are. */
class LabelKinds {
  readonly #values = new Map<string, Set<string>>();
  #size = 0;

  /** Without a text for each, which takes ten times as long. */
  add(labels: Labels): void {
    if (this.#size >= MOST_LABELS) return;
    for (const key in labels) {
      const [value = '', values = new Set<string>()] = [labels[key], this.#values.get(key)];
      if (values.has(value)) continue;
      this.#values.set(key, values.add(value));
      this.#size += 1;
    }
  }

  texts(): readonly string[] {
    return [...this.#values].flatMap(([key, values]) =>
      [...values].flatMap(value => labelTexts({ [key]: value })),
    );
  }
}

/** What there is to select from, beside the clusters. */
export function choicesOf({ rows }: Fleet) {
  const [systems, labels] = [new Set<string>(), new LabelKinds()];
  for (const row of rows) {
    if (row.os !== '') systems.add(row.os);
    labels.add(row.labels);
  }
  return { systems: [...systems].sort(), labels: labels.texts().toSorted() };
}
