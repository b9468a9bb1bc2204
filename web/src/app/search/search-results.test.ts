import { describe, expect, test } from 'vitest';
import type { Operation } from '../../operations/operation-summary.ts';
import type { SearchSources } from './search-results.ts';
import { findResults, selectSearchWord } from './search-results.ts';

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
      'Clusters: edge',
      'Hosts: edge-1 (127.0.0.1 · edge)',
      'Operations: Restart of edge (finished · op-2)',
      'Actions: Restart edge',
      'Actions: Upgrade edge',
      'Actions: Deploy to edge',
    ]);
  });

  test.each([
    ['op-1', ['Operations: Restart of web (finished · op-1)']],
    ['audit', ['Pages: Audit log']],
    ['upgrade WEB', ['Actions: Upgrade web']],
    ['nothing like this', []],
  ])('finds for %j, without hosts, %j', (query, expected) => {
    expect(find(query, { hosts: [] })).toEqual(expected);
  });

  test('finds hosts by several words, and offers the list if there are more', () => {
    const hosts = Array.from({ length: 7 }, (_, index) => host(`127.0.1.${index}`, `db-${index}`, 'db'));
    expect(find('db 127.0.1.3', { hosts, clusters: [], operations: [] })).toEqual(['Hosts: db-3 (127.0.1.3 · db)']);
    const found = find('db', { hosts, clusters: [], operations: [] });
    expect(found).toHaveLength(6);
    expect(found.at(-1)).toBe('Hosts: Show all hosts that match db');
  });

  test.each([
    ['', ''],
    ['  a  web-1 ', 'web-1'],
    ['ring first', 'first'],
  ])('selectSearchWord selects from %j the word %j', (text, word) => {
    expect(selectSearchWord(text)).toBe(word);
  });

  test('offers only what the role permits', () => {
    const can = (route: string) => route === 'listHosts';
    expect(find('', { can })).toEqual([
      'Actions: Show keyboard shortcuts',
      'Pages: Overview',
      'Pages: Hosts',
      'Pages: Account settings',
    ]);
    expect(find('restart', { can, hosts: [], operations: [] })).toEqual([]);
  });
});
