import type { DriverRecordKind } from '#vocabulary';

interface UsingCluster {
  readonly name: string;
  readonly network: string;
  readonly container_manager: string;
}

/** The names of the clusters that use each record, by its name. */
export function usedBy(
  kind: DriverRecordKind,
  clusters: readonly UsingCluster[],
): ReadonlyMap<string, readonly string[]> {
  const users = Map.groupBy(clusters, cluster => cluster[kind]);
  return new Map([...users].map(([record, using]) => [record, using.map(({ name }) => name)]));
}
