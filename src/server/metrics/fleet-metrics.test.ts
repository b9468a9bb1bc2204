import { expect, test } from 'vitest';
import type { HostStats } from '../../domain/fleet-stats.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { groupByClusterLabel, MAX_CLUSTERS } from './fleet-metrics.ts';

const createStats = (cluster: string | null, hosts = 1): HostStats => ({
  cluster: cluster === null ? null : toRecordName(cluster),
  status: 'active',
  isInMaintenance: false,
  hosts,
  inFlight: 0,
});

const countByLabel = (stats: readonly HostStats[], maxClusters?: number) =>
  [...groupByClusterLabel(stats, maxClusters)].map(([name, rows]) => [
    name,
    rows.reduce((sum, row) => sum + row.hosts, 0),
  ]);

test('groupByClusterLabel() groups hosts by cluster name, and hosts without a cluster as (none)', () => {
  expect(countByLabel([createStats('b'), createStats(null, 5), createStats('a', 2), createStats('b', 3)])).toEqual([
    ['b', 4],
    ['(none)', 5],
    ['a', 2],
  ]);
});

test('groupByClusterLabel() groups the clusters beyond the limit as (others)', () => {
  expect(countByLabel([createStats('c', 7), createStats('a'), createStats('d', 3), createStats('b')], 2)).toEqual([
    ['(others)', 10],
    ['a', 1],
    ['b', 1],
  ]);
  const many = Array.from({ length: 1000 }, (_, index) => createStats(`c${index}`));
  expect(countByLabel(many)).toHaveLength(MAX_CLUSTERS + 1);
});
