import { describe, expect, test } from 'vitest';
import type { Operation } from '../../operations/operation-summary.ts';
import type { SearchSources } from './search-results.ts';
import { findResults } from './search-results.ts';

const operation = (id: string, cluster: string): Operation => ({
  ...{ id, kind: 'restart', cluster, status: 'finished', state: 'finished', paused_by: null, problem: '' },
  counts: { total: 0, pending: 0, preparing: 0, queued: 0, in_flight: 0, done: 0, failed: 0, skipped: 0 },
  ...{ started_by: 'admin', started_at: '2026-01-01T00:00:00.000000', finished_at: null, can: [] },
});

const host = (address: string, hostname: string, cluster = ''): SearchSources['hosts'][number] => ({
  ...{ address, hostname, cluster, status: 'active', os: '', cpus: 0, memory: 0, space: 0 },
  ...{ last_check: '', ssh_priv_key: '', remote_user: '' },
});

const SOURCES: SearchSources = {
  can: () => true,
  clusters: ['edge', 'web'],
  operations: [operation('op-1', 'web'), operation('op-2', 'edge')],
  hosts: [host('127.0.0.1', 'edge-1', 'edge'), host('127.0.0.2', '')],
};

/** `Group: title (detail)`. */
const find = (query: string, sources: Partial<SearchSources> = {}) =>
  findResults({ ...SOURCES, ...sources }, query).flatMap(({ title: group, results }) =>
    results.map(({ title, detail = '' }) => `${group}: ${title}${detail === '' ? '' : ` (${detail})`}`),
  );

describe('findResults', () => {
  test('lists actions and pages for an empty query', () => {
    const found = find(' ');
    expect(found.slice(0, 3)).toEqual([
      'Actions: Enrol hosts',
      'Actions: Create cluster',
      'Actions: Show keyboard shortcuts',
    ]);
    expect(found).toContain('Pages: Audit log');
    expect(found.some(text => /^(Hosts|Clusters|Operations):/.test(text))).toBe(false);
  });

  test('finds hosts, clusters, operations and actions by the same word', () => {
    expect(find('edge')).toEqual([
      'Hosts: edge-1 (127.0.0.1 · edge)',
      'Hosts: 127.0.0.2',
      'Clusters: edge',
      'Operations: Restart of edge (op-2)',
      'Actions: Start operation on edge',
    ]);
  });

  test.each([
    ['op-1', ['Operations: Restart of web (op-1)']],
    ['audit', ['Pages: Audit log']],
    ['start operation WEB', ['Actions: Start operation on web']],
    ['nothing like this', []],
  ])('finds for %j, without hosts, %j', (query, expected) => {
    expect(find(query, { hosts: [] })).toEqual(expected);
  });

  test('offers only what the role permits', () => {
    const can = (route: string) => route === 'listHosts';
    expect(find('', { can })).toEqual([
      'Actions: Show keyboard shortcuts',
      'Pages: Overview',
      'Pages: Hosts',
      'Pages: Account settings',
    ]);
    expect(find('operation', { can, hosts: [], operations: [] })).toEqual([]);
  });
});
