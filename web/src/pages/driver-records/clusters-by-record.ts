import type { DriverRecordKind } from '#vocabulary';
import type { ClusterRecord } from '../../clusters/cluster-health.ts';

export function clustersByRecord(
  kind: DriverRecordKind,
  clusters: readonly Pick<ClusterRecord, 'name' | DriverRecordKind>[],
): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(clusters, cluster => cluster[kind]);
  return new Map([...groups].map(([record, members]) => [record, members.map(({ name }) => name)]));
}
