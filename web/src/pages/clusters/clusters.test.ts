import { describe, expect, test } from 'vitest';
import type { ClusterRecord } from './health.ts';
import { healthWords, worstFirst } from './health.ts';
import type { Operation } from './operation-parts.ts';
import { newestByCluster, operationCounts, operationTitle } from './operation-parts.ts';

const cluster = (name: string, status: ClusterRecord['status'], available = 2, total = 2): ClusterRecord => ({
  ...{ name, status, network: 'default', container_manager: '' },
  hosts: { total, available, unavailable: total - available },
});

const operation = (id: string, ofCluster: string): Operation => ({
  ...{ id, kind: 'restart', cluster: ofCluster, status: 'in_process', state: 'running', paused_by: null },
  counts: { total: 3, pending: 0, preparing: 0, in_flight: 1, done: 1, failed: 1, skipped: 0 },
  ...{
    problem: '',
    started_by: 'admin',
    started_at: '2026-01-01T00:00:00.000000',
    finished_at: null,
    can: [],
  },
});

describe('clusters at a glance', () => {
  test('the worst is first, then the busy, then by name', () => {
    const all = [
      cluster('a', 'ok'),
      cluster('b', 'ok'),
      cluster('half', 'degraded', 1),
      cluster('tenth', 'degraded', 9, 10),
      cluster('dead', 'failed', 0),
    ];
    const running = newestByCluster([operation('1', 'b')]);
    expect(worstFirst(all, running).map(({ name }) => name)).toEqual(['dead', 'half', 'tenth', 'b', 'a']);
  });

  test.each([
    [cluster('a', 'ok', 0, 0), 'no hosts yet'],
    [cluster('a', 'degraded', 1), '1 of 2 available'],
  ])('%j: %s', (record, words) => {
    expect(healthWords(record)).toBe(words);
  });

  test('the newest operation of each cluster is the first in the list', () => {
    const newest = newestByCluster([operation('3', 'a'), operation('2', 'b'), operation('1', 'a')]);
    expect([newest.get('a')?.id, newest.get('b')?.id, newest.size]).toEqual(['3', '2', 2]);
  });

  test('an operation is told with what has failed', () => {
    expect(operationCounts(operation('1', 'a'))).toBe('1 of 3 done, 1 failed');
    expect(operationTitle({ kind: 'deploy', version: '44.1' })).toBe('Deploy to 44.1');
  });
});
