import { describe, expect, it } from 'vitest';
import { NAME_PATTERN } from '#vocabulary';
import type { HostRow } from '../../hosts/host-table.ts';
import { createHostTable, createRow, updateRows } from '../../hosts/host-table.ts';
import { createFilterOptions, filterHosts } from './filter-hosts.ts';
import type { HostsSearch } from './search.ts';
import { NO_CLUSTER, parseHostsSearch } from './search.ts';
import { createSorter } from './sort-hosts.ts';

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
  ['all of them', {}, [1, 2, 3, 4]],
  ['part of an address', { q: '0.0.3' }, [3]],
  ['a hostname in whatever letters', { q: 'WEB-' }, [1, 2]],
  ['a label', { q: 'zone=a2' }, [2]],
  ['a cluster', { q: 'edge' }, [3]],
  ['several words, which must all be there', { q: 'web  a1' }, [1]],
  ['a status', { status: 'failed' }, [2]],
  ['members of one cluster', { cluster: 'web' }, [1, 2]],
  ['hosts in no cluster', { cluster: NO_CLUSTER }, [4]],
  ['a system', { os: 'debian' }, [1, 3]],
  ['a key of a label, whatever its value', { label: 'zone' }, [1, 2]],
  ['a label with its value', { label: 'zone=a1' }, [1]],
  ['a label with an empty value', { label: 'spot=' }, [2]],
  ['nothing like it', { label: 'constructor' }, []],
  ['by hostname, the unknown last', { sort: 'hostname' }, [1, 4, 2, 3]],
  ['the other way round, the unknown still last', { sort: '-hostname' }, [2, 4, 1, 3]],
  ['by what is to be looked at first', { sort: 'status' }, [2, 3, 1, 4]],
  ['by cluster', { sort: 'cluster' }, [3, 1, 2, 4]],
  ['by system', { sort: '-os' }, [2, 1, 3, 4]],
  ['by address, backwards', { sort: '-address' }, [4, 3, 2, 1]],
];

describe('shownHosts', () => {
  it.each(CASES)('%s', (_name, search, numbers) => {
    const { rows } = filterHosts(createSorter()(TABLE, search.sort ?? 'address'), search);
    expect(rows.map(({ address }) => Number(address.split('.').at(-1)))).toEqual(numbers);
  });

  it('counts each status of what else is asked for, also when one is chosen', () => {
    const { counts, total } = filterHosts(TABLE.rows, { cluster: 'web', status: 'failed' });
    expect(Object.fromEntries(counts)).toEqual({ active: 1, failed: 1 });
    expect(total).toBe(2);
  });
});

describe('newChoices', () => {
  const getOptions = createFilterOptions();
  const first = getOptions(TABLE.rows);
  const replaceRow = (changed: HostRow) => updateRows(TABLE, new Map([[changed.address, changed]])).rows;
  const [someRow] = TABLE.rows;
  if (someRow === undefined) throw new Error('the fleet is empty');

  it('has each of what there is to select from once, in order', () => {
    expect(first).toEqual({ systems: ['debian', 'ubuntu'], labels: ['spot', 'zone=a1', 'zone=a2'] });
  });

  it('answers the very same when only a status has changed', () => {
    expect(getOptions(replaceRow(createRow({ ...someRow, status: 'failed' })))).toBe(first);
  });

  it('looks anew when a host has another label, another system, or is gone', () => {
    expect(getOptions(replaceRow(createRow({ ...someRow, labels: { rack: '7' } }))).labels).toEqual([
      ...['rack=7', 'spot', 'zone=a2'],
    ]);
    expect(getOptions(replaceRow(createRow({ ...someRow, os: 'fedora' }))).systems).toEqual([
      ...['debian', 'fedora', 'ubuntu'],
    ]);
    expect(getOptions(updateRows(TABLE, new Map([['127.0.0.2', undefined]])).rows).systems).toEqual([
      'debian',
    ]);
  });
});

it('the address bar is read without what makes no sense', () => {
  expect(parseHostsSearch({ q: 10, status: 'fine', sort: '-os', label: '', cluster: 'web' })).toEqual({
    ...{ q: '10', sort: '-os', cluster: 'web' },
  });
});

it('the word for no cluster can be in the address bar, and is the name of none', () => {
  expect(parseHostsSearch({ cluster: NO_CLUSTER })).toEqual({ cluster: NO_CLUSTER });
  expect(NO_CLUSTER).not.toMatch(new RegExp(`^${NAME_PATTERN}$`));
});

describe('newSorter', () => {
  const names = (rows: readonly HostRow[]) => rows.map(({ hostname }) => hostname);
  const sort = createSorter();
  const first = sort(TABLE, 'hostname');

  it('shows what has become of a host in the order that was kept', () => {
    const failed = row(4, { hostname: 'spare', status: 'failed' });
    const rows = sort(updateRows(TABLE, new Map([[failed.address, failed]])), 'hostname');
    expect(names(rows)).toEqual(names(first));
    expect(rows).toContain(failed);
  });

  it('shows an order as it was when somebody comes back to it', () => {
    expect(names(sort(TABLE, '-hostname'))).toEqual(['web-a', 'spare', 'Web-B', '']);
    expect(sort(TABLE, 'hostname')).toEqual(first);
  });

  it('sorts anew when a host has another name', () => {
    const renamed = row(4, { hostname: 'zulu' });
    const rows = sort(updateRows(TABLE, new Map([[renamed.address, renamed]])), 'hostname');
    expect(names(rows)).toEqual(['Web-B', 'web-a', 'zulu', '']);
  });

  it('sorts anew when a host is gone', () => {
    expect(names(sort(updateRows(TABLE, new Map([['127.0.0.1', undefined]])), 'hostname'))).toEqual([
      ...['spare', 'web-a', ''],
    ]);
  });
});
