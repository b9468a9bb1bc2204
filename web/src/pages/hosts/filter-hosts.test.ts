import { describe, expect, test } from 'vitest';
import { NAME_PATTERN } from '#vocabulary';
import type { HostRow } from '../../hosts/host-table.ts';
import { createHostTable, createRow, updateRows } from '../../hosts/host-table.ts';
import { createSorter } from '../../hosts/sort-hosts.ts';
import { createFilterOptions, filterHosts } from './filter-hosts.ts';
import type { HostsSearch } from './search.ts';
import { NO_CLUSTER, parseHostsSearch } from './search.ts';

const row = (number: number, fields: Partial<HostRow>) =>
  createRow({
    ...{ address: `127.0.0.${number}`, status: 'active', reason: '', cluster: '', labels: {} },
    ...{ isInMaintenance: false, hostname: '', os: '', cpus: 0, memory: 0 },
    ...fields,
  });

const TABLE = createHostTable([
  row(1, { hostname: 'Web-B', cluster: 'web', os: 'debian', labels: { zone: 'a1' } }),
  row(2, {
    hostname: 'web-a',
    cluster: 'web',
    os: 'ubuntu',
    status: 'failed',
    labels: { zone: 'a2', spot: '' },
  }),
  row(3, { cluster: 'edge', os: 'debian', status: 'unreachable' }),
  row(4, { hostname: 'spare' }),
]);

const CASES: readonly (readonly [name: string, search: HostsSearch, numbers: readonly number[]])[] = [
  ['returns all hosts without a filter', {}, [1, 2, 3, 4]],
  ['searches a part of an address', { q: '0.0.3' }, [3]],
  ['searches hostnames case-insensitively', { q: 'WEB-' }, [1, 2]],
  ['searches labels', { q: 'zone=a2' }, [2]],
  ['searches clusters', { q: 'edge' }, [3]],
  ['requires all words of a search', { q: 'web  a1' }, [1]],
  ['filters by status', { status: 'failed' }, [2]],
  ['filters by cluster', { cluster: 'web' }, [1, 2]],
  ['filters hosts in no cluster', { cluster: NO_CLUSTER }, [4]],
  ['filters by OS', { os: 'debian' }, [1, 3]],
  ['filters by label key', { label: 'zone' }, [1, 2]],
  ['filters by label value', { label: 'zone=a1' }, [1]],
  ['filters by an empty label value', { label: 'spot=' }, [2]],
  ['returns no hosts for an unknown label', { label: 'constructor' }, []],
  ['sorts by hostname in any case, empty values last', { sort: 'hostname' }, [4, 2, 1, 3]],
  ['sorts by hostname descending, empty values last', { sort: '-hostname' }, [1, 2, 4, 3]],
  ['sorts by status, problems first', { sort: 'status' }, [2, 3, 1, 4]],
  ['sorts by cluster', { sort: 'cluster' }, [3, 1, 2, 4]],
  ['sorts by OS descending', { sort: '-os' }, [2, 1, 3, 4]],
  ['sorts by address descending', { sort: '-address' }, [4, 3, 2, 1]],
];

describe('filterHosts', () => {
  test.each(CASES)('%s', (_name, search, numbers) => {
    const { rows } = filterHosts(createSorter()(TABLE, search.sort ?? 'address'), search);
    expect(rows.map(({ address }) => Number(address.split('.').at(-1)))).toEqual(numbers);
  });

  test('counts every status of the hosts that match the other filters', () => {
    const { counts, total } = filterHosts(TABLE.rows, { cluster: 'web', status: 'failed' });
    expect(Object.fromEntries(counts)).toEqual({ active: 1, failed: 1 });
    expect(total).toBe(2);
  });
});

describe('createFilterOptions', () => {
  const getOptions = createFilterOptions();
  const first = getOptions(TABLE.rows);
  const replaceRow = (changed: HostRow) => updateRows(TABLE, new Map([[changed.address, changed]])).rows;
  const [someRow] = TABLE.rows;
  if (someRow === undefined) throw new Error('the table is empty');

  test('returns each OS and label once, sorted', () => {
    expect(first).toEqual({ systems: ['debian', 'ubuntu'], labels: ['spot', 'zone=a1', 'zone=a2'] });
  });

  test('returns the same object when only a status changes', () => {
    expect(getOptions(replaceRow(createRow({ ...someRow, status: 'failed' })))).toBe(first);
  });

  test('returns new options when a label or OS changes or a host is removed', () => {
    expect(getOptions(replaceRow(createRow({ ...someRow, labels: { rack: '7' } }))).labels).toEqual([
      ...['rack=7', 'spot', 'zone=a2'],
    ]);
    expect(getOptions(replaceRow(createRow({ ...someRow, os: 'fedora' }))).systems).toEqual([
      ...['debian', 'fedora', 'ubuntu'],
    ]);
    expect(getOptions(updateRows(TABLE, new Map([['127.0.0.2', undefined]])).rows).systems).toEqual(['debian']);
  });
});

test('parseHostsSearch drops invalid values', () => {
  expect(parseHostsSearch({ q: 10, status: 'nonsense', sort: '-os', label: '', cluster: 'web' })).toEqual({
    ...{ q: '10', sort: '-os', cluster: 'web' },
  });
});

test('NO_CLUSTER is a valid search value and not a valid cluster name', () => {
  expect(parseHostsSearch({ cluster: NO_CLUSTER })).toEqual({ cluster: NO_CLUSTER });
  expect(NO_CLUSTER).not.toMatch(new RegExp(`^${NAME_PATTERN}$`));
});

describe('createSorter', () => {
  const names = (rows: readonly HostRow[]) => rows.map(({ hostname }) => hostname);
  const sort = createSorter();
  const first = sort(TABLE, 'hostname');

  test('keeps the order and returns the new row when an unrelated field changes', () => {
    const failed = row(4, { hostname: 'spare', status: 'failed' });
    const rows = sort(updateRows(TABLE, new Map([[failed.address, failed]])), 'hostname');
    expect(names(rows)).toEqual(names(first));
    expect(rows).toContain(failed);
  });

  test('returns the same order after sorting by another column', () => {
    expect(names(sort(TABLE, '-hostname'))).toEqual(['Web-B', 'web-a', 'spare', '']);
    expect(sort(TABLE, 'hostname')).toEqual(first);
  });

  test('sorts again when a hostname changes', () => {
    const renamed = row(4, { hostname: 'zulu' });
    const rows = sort(updateRows(TABLE, new Map([[renamed.address, renamed]])), 'hostname');
    expect(names(rows)).toEqual(['web-a', 'Web-B', 'zulu', '']);
  });

  test('sorts numbers in hostnames by value', () => {
    const table = createHostTable([row(1, { hostname: 'web-10' }), row(2, { hostname: 'web-2' })]);
    expect(names(createSorter()(table, 'hostname'))).toEqual(['web-2', 'web-10']);
  });

  test('sorts again when a host is removed', () => {
    expect(names(sort(updateRows(TABLE, new Map([['127.0.0.1', undefined]])), 'hostname'))).toEqual([
      ...['spare', 'web-a', ''],
    ]);
  });
});
