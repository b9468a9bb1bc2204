import { describe, expect, test } from 'vitest';
import type { ClusterRecord } from './cluster-health.ts';
import { formatHealth, sortByHealth } from './cluster-health.ts';

const cluster = (name: string, status: ClusterRecord['status'], available = 2, total = 2): ClusterRecord => ({
  ...{ name, status, network: 'default', container_manager: '' },
  hosts: { total, available, unavailable: total - available },
});

describe('cluster health', () => {
  test('sortByHealth sorts by health, then clusters with an operation, then by name', () => {
    const all = [
      cluster('a', 'ok'),
      cluster('b', 'ok'),
      cluster('half', 'degraded', 1),
      cluster('tenth', 'degraded', 9, 10),
      cluster('dead', 'failed', 0),
    ];
    expect(sortByHealth(all, new Map([['b', 'a restart']])).map(({ name }) => name)).toEqual([
      'dead',
      'half',
      'tenth',
      'b',
      'a',
    ]);
  });

  test.each([
    [cluster('a', 'ok', 0, 0), 'No hosts'],
    [cluster('a', 'degraded', 1), '1 of 2 available'],
  ])('formatHealth formats %j as %s', (record, text) => {
    expect(formatHealth(record)).toBe(text);
  });
});
