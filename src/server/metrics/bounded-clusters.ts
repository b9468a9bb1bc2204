import type { HostStats } from '../../domain/fleet-stats.ts';

/** Cluster names cannot contain parentheses, so there is no conflict. */
export const NO_CLUSTER = '(none)';
export const OTHER_CLUSTERS = '(others)';

/** About 1,800 series, nine for each cluster. */
export const MOST_CLUSTERS = 200;

/** Hosts by the value of the label `cluster`. Clusters are selected by name, so that the set of series is stable. */
export function boundedClusters(
  figures: readonly HostStats[],
  most = MOST_CLUSTERS,
): ReadonlyMap<string, readonly HostStats[]> {
  const names = [...new Set(figures.flatMap(({ cluster }) => cluster ?? []))].sort();
  const told = new Set<string>(names.slice(0, most));
  return Map.groupBy(figures, ({ cluster }) => {
    if (cluster === null) return NO_CLUSTER;
    return told.has(cluster) ? cluster : OTHER_CLUSTERS;
  });
}
