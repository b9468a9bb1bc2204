import type { HostFigure } from '../../domain/overview/figures.ts';

/** A name has no brackets, so no cluster is called so. */
export const NO_CLUSTER = '(none)';
export const OTHER_CLUSTERS = '(others)';

/** With nine series each, 1,800 or so. */
export const MOST_CLUSTERS = 200;

/** Hosts by what is told as their cluster. Which clusters are told by name follows from the names: what is told of one does not come and go. */
export function boundedClusters(
  figures: readonly HostFigure[],
  most = MOST_CLUSTERS,
): ReadonlyMap<string, readonly HostFigure[]> {
  const names = [...new Set(figures.flatMap(({ cluster }) => cluster ?? []))].sort();
  const told = new Set<string>(names.slice(0, most));
  return Map.groupBy(figures, ({ cluster }) => {
    if (cluster === null) return NO_CLUSTER;
    return told.has(cluster) ? cluster : OTHER_CLUSTERS;
  });
}
