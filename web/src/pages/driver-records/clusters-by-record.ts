import type { DriverRecordKind } from '#vocabulary';

interface ClusterSettings {
  readonly name: string;
  readonly network: string;
  readonly container_manager: string;
}

export function clustersByRecord(
  kind: DriverRecordKind,
  clusters: readonly ClusterSettings[],
): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(clusters, cluster => cluster[kind]);
  return new Map([...groups].map(([record, members]) => [record, members.map(({ name }) => name)]));
}
