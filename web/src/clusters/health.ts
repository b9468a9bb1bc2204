import type { Static } from 'typebox';
import type { Cluster } from '#contract/routes/clusters.ts';
import type { Part } from '../ui/proportion-bar.tsx';

export type ClusterRecord = Static<typeof Cluster>;

export const healthParts = ({ hosts }: Pick<ClusterRecord, 'hosts'>): readonly Part[] => [
  { name: 'available', count: hosts.available, tone: 'good' },
  { name: 'unavailable', count: hosts.unavailable, tone: 'warn' },
];

export const healthWords = ({ hosts }: Pick<ClusterRecord, 'hosts'>): string =>
  hosts.total === 0 ? 'No hosts' : `${hosts.available} of ${hosts.total} available`;

const SEVERITY: Readonly<Record<ClusterRecord['status'], number>> = { failed: 0, degraded: 1, ok: 2 };

const missing = ({ hosts }: ClusterRecord) => (hosts.total === 0 ? 0 : hosts.unavailable / hosts.total);

/** Those first that somebody should look at; then those where something goes on; else by name. */
export const worstFirst = (
  clusters: readonly ClusterRecord[],
  busy: ReadonlyMap<string, unknown>,
): readonly ClusterRecord[] =>
  clusters.toSorted(
    (a, b) =>
      SEVERITY[a.status] - SEVERITY[b.status] ||
      missing(b) - missing(a) ||
      Number(busy.has(b.name)) - Number(busy.has(a.name)) ||
      (a.name < b.name ? -1 : 1),
  );
