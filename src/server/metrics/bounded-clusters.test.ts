import { expect, test } from 'vitest';
import type { HostStats } from '../../domain/fleet-stats.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { boundedClusters, MOST_CLUSTERS } from './bounded-clusters.ts';

const figure = (cluster: string | null, hosts = 1): HostStats => ({
  cluster: cluster === null ? null : toRecordName(cluster),
  status: 'active',
  isInMaintenance: false,
  hosts,
  inFlight: 0,
});

const counted = (figures: readonly HostStats[], most?: number) =>
  [...boundedClusters(figures, most)].map(([name, rows]) => [
    name,
    rows.reduce((sum, row) => sum + row.hosts, 0),
  ]);

test('clusters are told by name, and hosts in none by a word that is no name', () => {
  expect(counted([figure('b'), figure(null, 5), figure('a', 2), figure('b', 3)])).toEqual([
    ['b', 4],
    ['(none)', 5],
    ['a', 2],
  ]);
});

test('of very many clusters those that come later by name are told together', () => {
  expect(counted([figure('c', 7), figure('a'), figure('d', 3), figure('b')], 2)).toEqual([
    ['(others)', 10],
    ['a', 1],
    ['b', 1],
  ]);
  const many = Array.from({ length: 1000 }, (_, index) => figure(`c${index}`));
  expect(counted(many)).toHaveLength(MOST_CLUSTERS + 1);
});
