// Which hosts are shown. It is done at each keystroke over all of them, so it is plain loops over what is ready.

import type { HostStatus } from '#vocabulary';
import type { Fleet, HostRow, Labels } from './fleet.ts';
import { labelTexts } from './fleet.ts';
import type { HostsSearch } from './search.ts';

export interface ShownHosts {
  readonly rows: readonly HostRow[];
  /** How many there are of each status, of those that keep to everything else. */
  readonly counts: ReadonlyMap<HostStatus, number>;
  /** Of all statuses together. */
  readonly total: number;
}

type IsMeant = (row: HostRow) => boolean;

function hasLabel(filter: string): IsMeant {
  const equals = filter.indexOf('=');
  const key = equals === -1 ? filter : filter.slice(0, equals);
  const value = equals === -1 ? undefined : filter.slice(equals + 1);
  return ({ labels }) => Object.hasOwn(labels, key) && (value === undefined || labels[key] === value);
}

/** All but the status. */
function filterOf({ q = '', cluster, os, label }: HostsSearch): IsMeant {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const tests: readonly IsMeant[] = [
    ...words.map(
      (word): IsMeant =>
        ({ text }) =>
          text.includes(word),
    ),
    ...(cluster === undefined ? [] : [(row: HostRow) => row.cluster === cluster]),
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

/** What there is to choose from. */
export function choicesOf({ rows }: Fleet) {
  const [clusters, systems, labels] = [new Set<string>(), new Set<string>(), new LabelKinds()];
  for (const row of rows) {
    if (row.cluster !== '') clusters.add(row.cluster);
    if (row.os !== '') systems.add(row.os);
    labels.add(row.labels);
  }
  return { clusters: [...clusters].sort(), systems: [...systems].sort(), labels: labels.texts().toSorted() };
}
