// Which hosts are shown. It is done at each keystroke over all of them, so it is plain loops over what is ready.

import type { HostStatus } from '#vocabulary';
import type { HostRow } from '../../fleet/fleet.ts';
import { hasWords } from '../../fleet/has-words.ts';
import { hasLabel } from '../../fleet/labels.ts';
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
  return tests.length === 0 ? () => true : row => tests.every(test => test(row));
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
