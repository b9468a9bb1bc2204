import type { Static } from 'typebox';
import type { Cluster } from '#contract/routes/clusters.ts';
import type { Segment } from '../ui/segmented-bar.tsx';

export type ClusterRecord = Static<typeof Cluster>;

export const healthSegments = ({ hosts }: Pick<ClusterRecord, 'hosts'>): readonly Segment[] => [
  { name: 'available', count: hosts.available, severity: 'good' },
  { name: 'unavailable', count: hosts.unavailable, severity: 'warn' },
];

export const formatHealth = ({ hosts }: Pick<ClusterRecord, 'hosts'>): string =>
  hosts.total === 0 ? 'No hosts' : `${hosts.available} of ${hosts.total} available`;

const STATUS_RANK: Readonly<Record<ClusterRecord['status'], number>> = { failed: 0, degraded: 1, ok: 2 };

const unavailableShare = ({ hosts }: ClusterRecord) => (hosts.total === 0 ? 0 : hosts.unavailable / hosts.total);

/** Sorts the least healthy clusters first, then clusters with a running operation, then by name. */
export const sortByHealth = (
  clusters: readonly ClusterRecord[],
  running: ReadonlyMap<string, unknown>,
): readonly ClusterRecord[] =>
  clusters.toSorted(
    (a, b) =>
      STATUS_RANK[a.status] - STATUS_RANK[b.status] ||
      unavailableShare(b) - unavailableShare(a) ||
      Number(running.has(b.name)) - Number(running.has(a.name)) ||
      (a.name < b.name ? -1 : 1),
  );
