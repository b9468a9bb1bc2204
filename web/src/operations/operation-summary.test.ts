import { describe, expect, test } from 'vitest';
import type { HostCounts } from '#sdk/operation-progress.ts';
import type { Operation } from './operation-summary.ts';
import { formatCounts, formatResult, latestByCluster, operationTitle, progressSegments } from './operation-summary.ts';

const NONE: HostCounts = {
  total: 0,
  pending: 0,
  preparing: 0,
  queued: 0,
  in_flight: 0,
  done: 0,
  failed: 0,
  skipped: 0,
};

const operation = (id: string, cluster: string): Operation => ({
  ...{ id, kind: 'restart', cluster, status: 'in_process', state: 'running', paused_by: null },
  ...{ counts: NONE, problem: '', started_by: 'admin', finished_at: null, can: [] },
  started_at: '2026-01-01T00:00:00.000000',
});

describe('operation summary', () => {
  test.each<[Parameters<typeof operationTitle>[0], string]>([
    [{ kind: 'restart', cluster: 'web' }, 'Restart of web'],
    [{ kind: 'deploy', cluster: 'web', version: '44.1' }, 'Deploy of web to 44.1'],
    [{ kind: 'deploy', cluster: 'web', version: 'v'.repeat(40) }, `Deploy of web to ${'v'.repeat(40)}`],
    [{ kind: 'deploy', cluster: 'web', version: 'v'.repeat(41) }, `Deploy of web to ${'v'.repeat(39)}…`],
  ])('operationTitle of %j is %s', (fields, title) => {
    expect(operationTitle(fields)).toBe(title);
  });

  test.each<[Partial<HostCounts>, text: string, allText: string]>([
    [{ total: 3, pending: 3 }, '0 of 3 done', '3 pending'],
    [
      { total: 6, done: 1, failed: 1, in_flight: 2, pending: 2 },
      '1 of 6 done, 1 failed',
      '1 done, 1 failed, 2 in flight, 2 pending',
    ],
    [{ total: 3, done: 1, skipped: 1, preparing: 1 }, '1 of 3 done, 1 skipped', '1 done, 1 skipped, 1 preparing'],
    [{ total: 9, preparing: 1, queued: 8 }, '0 of 9 done', '8 queued, 1 preparing'],
    [{ total: 2, done: 2 }, '2 of 2 done', '2 done'],
  ])('formats the counts %j as %s; %s', (counts, text, allText) => {
    expect(formatResult({ ...NONE, ...counts })).toBe(text);
    expect(formatCounts({ ...NONE, ...counts })).toBe(allText);
  });

  test('an ended operation has hosts that were not started, and no queued hosts', () => {
    const counts = { ...NONE, total: 9, done: 1, failed: 1, preparing: 1, queued: 2, pending: 4 };
    expect(formatCounts(counts, true)).toBe('1 done, 1 failed, 7 not started');
  });

  test('progressSegments contains every host', () => {
    const counts = { total: 28, pending: 1, preparing: 2, queued: 7, in_flight: 3, done: 4, failed: 5, skipped: 6 };
    expect(progressSegments(counts).reduce((sum, { count }) => sum + count, 0)).toBe(28);
  });

  test('latestByCluster returns the first operation of each cluster in a list sorted newest first', () => {
    const latest = latestByCluster([operation('3', 'a'), operation('2', 'b'), operation('1', 'a')]);
    expect([latest.get('a')?.id, latest.get('b')?.id, latest.size]).toEqual(['3', '2', 2]);
  });
});
