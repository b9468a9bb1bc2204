import { describe, expect, test } from 'vitest';
import { createEvent } from '../../../test/harness/events/event-fixtures.ts';
import type { LoggedEvent } from '../live/recent-events.ts';
import { applyHostEvents } from './apply-host-events.ts';
import type { HostRow, HostTable } from './host-table.ts';
import { createHostTable, createRow } from './host-table.ts';

const row = (address: string, fields: Partial<HostRow> = {}) =>
  createRow({
    ...{ address, status: 'active', reason: '', cluster: 'web', labels: {}, isInMaintenance: false },
    ...{ hostname: 'one', os: 'debian', cpus: 2, memory: 1024 },
    ...fields,
  });

const TABLE = createHostTable([row('127.0.0.2'), row('127.0.0.10', { cluster: '' })]);

const NEW = { hostname: '', os: '', cpus: 0, memory: 0, status: 'investigating' } as const;

const CASES: readonly (readonly [
  name: string,
  events: readonly Partial<LoggedEvent>[],
  rows: readonly HostRow[],
  missing: readonly string[],
])[] = [
  [
    'sets the reason of an unreachable host',
    [{ host: '127.0.0.2', data: { from: 'active', to: 'unreachable', reason: 'timed_out: …' } }],
    [row('127.0.0.2', { status: 'unreachable', reason: 'timed_out: …' }), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'clears the reason of a host that responds again',
    [
      { host: '127.0.0.2', data: { from: 'active', to: 'unreachable', reason: 'timed_out: …' } },
      { host: '127.0.0.2', data: { from: 'unreachable', to: 'active' } },
    ],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'requests the details of an inspected host',
    [{ host: '127.0.0.2', data: { from: 'investigating', to: 'bootstrapping' } }],
    [row('127.0.0.2', { status: 'bootstrapping' }), row('127.0.0.10', { cluster: '' })],
    ['127.0.0.2'],
  ],
  [
    'inserts a new host in the numeric order of addresses',
    [{ type: 'host.created', host: '127.0.0.9', cluster: 'web' }],
    [row('127.0.0.2'), row('127.0.0.9', NEW), row('127.0.0.10', { cluster: '' })],
    ['127.0.0.9'],
  ],
  [
    'inserts IPv6 after IPv4',
    [{ type: 'host.created', host: '::1' }],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' }), row('::1', { ...NEW, cluster: '' })],
    ['::1'],
  ],
  [
    'keeps the row of a host that was fetched after its creation',
    [{ type: 'host.created', host: '127.0.0.2' }],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' })],
    ['127.0.0.2'],
  ],
  [
    'removes a host and does not request its details',
    [
      { host: '127.0.0.2', data: { from: 'investigating', to: 'failed' } },
      { type: 'host.removed', host: '127.0.0.2' },
    ],
    [row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'replaces the row of a host that was removed and enrolled again',
    [
      { type: 'host.removed', host: '127.0.0.2' },
      { type: 'host.created', host: '127.0.0.2' },
    ],
    [row('127.0.0.2', { ...NEW, cluster: '' }), row('127.0.0.10', { cluster: '' })],
    ['127.0.0.2'],
  ],
  [
    'replaces labels',
    [{ type: 'host.labels_changed', host: '127.0.0.2', data: { labels: { zone: 'a' } } }],
    [row('127.0.0.2', { labels: { zone: 'a' } }), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'sets maintenance',
    [{ type: 'host.maintenance_changed', host: '127.0.0.2', data: { on: true, reason: 'disk' } }],
    [row('127.0.0.2', { isInMaintenance: true }), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'moves hosts between clusters',
    [
      { type: 'cluster.members', cluster: 'web', data: { joined: ['127.0.0.10'], left: ['127.0.0.2'] } },
      { type: 'cluster.members', cluster: 'edge', data: { joined: ['127.0.0.2'], left: [] } },
    ],
    [row('127.0.0.2', { cluster: 'edge' }), row('127.0.0.10')],
    [],
  ],
  [
    'ignores that a host left a cluster it is no longer in',
    [{ type: 'cluster.members', cluster: 'edge', data: { joined: [], left: ['127.0.0.2'] } }],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'ignores unknown hosts',
    [{ host: '127.0.0.77', data: { from: 'active', to: 'failed' } }],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' })],
    [],
  ],
];

describe('applyHostEvents', () => {
  test.each(CASES)('%s', (_name, events, rows, missing) => {
    const updated = applyHostEvents(
      TABLE,
      events.map((fields, index) => createEvent(index + 1, fields)),
    );
    expect(updated.rows).toEqual(rows);
    expect([...updated.missingDetails]).toEqual(missing);
    expect([...updated.indexByAddress]).toEqual(rows.map(({ address }, index) => [address, index]));
  });

  test.each<[string, Partial<LoggedEvent>]>([
    ['an event of another resource', { type: 'network.changed' }],
    ['an unknown status', { host: '127.0.0.2', data: { to: 'nonsense' } }],
    ['an unknown host that was inspected', { host: '::9', data: { from: 'investigating', to: 'failed' } }],
    ['the removal of an unknown host', { type: 'host.removed', host: '::9' }],
    ['unknown hosts that join a cluster', { type: 'cluster.members', cluster: 'web', data: { joined: ['::9'] } }],
  ])('returns the same object for %s', (_title, fields) => {
    expect(applyHostEvents(TABLE, [createEvent(1, fields)])).toBe(TABLE);
  });
});

const CLUSTER_TABLE = createHostTable([row('127.0.0.2'), row('127.0.0.10')], 'web');
const UNASSIGNED_TABLE = createHostTable([row('127.0.0.2', { cluster: '' })], '');
const membersChanged = (cluster: string, joined: readonly string[], left: readonly string[]) => ({
  ...{ type: 'cluster.members' as const, cluster, data: { joined, left } },
});

describe('applyHostEvents of one cluster', () => {
  test.each<
    [string, HostTable, readonly Partial<LoggedEvent>[], addresses: readonly string[], missing: readonly string[]]
  >([
    [
      'requests the details of a host that joins',
      CLUSTER_TABLE,
      [membersChanged('web', ['::1'], [])],
      ['127.0.0.2', '127.0.0.10'],
      ['::1'],
    ],
    [
      'requests nothing for a host that joins and leaves',
      CLUSTER_TABLE,
      [membersChanged('web', ['::1'], []), membersChanged('web', [], ['::1'])],
      ['127.0.0.2', '127.0.0.10'],
      [],
    ],
    [
      'requests nothing for a host that joins another cluster next or is removed',
      CLUSTER_TABLE,
      [
        membersChanged('web', ['::1', '::2'], []),
        membersChanged('edge', ['::1'], []),
        { type: 'host.removed', host: '::2' },
      ],
      ['127.0.0.2', '127.0.0.10'],
      [],
    ],
    [
      'requests the details of a host that joins before it leaves its old cluster',
      CLUSTER_TABLE,
      [membersChanged('web', ['::1'], []), membersChanged('edge', [], ['::1'])],
      ['127.0.0.2', '127.0.0.10'],
      ['::1'],
    ],
    ['removes a host that leaves', CLUSTER_TABLE, [membersChanged('web', [], ['127.0.0.2'])], ['127.0.0.10'], []],
    [
      'removes a host that joins another cluster',
      CLUSTER_TABLE,
      [membersChanged('edge', ['127.0.0.2'], [])],
      ['127.0.0.10'],
      [],
    ],
    [
      'adds a host that is enrolled into the cluster',
      CLUSTER_TABLE,
      [{ type: 'host.created', host: '127.0.0.9', cluster: 'web' }],
      ['127.0.0.2', '127.0.0.9', '127.0.0.10'],
      ['127.0.0.9'],
    ],
    [
      'ignores a host that is enrolled into another cluster or none',
      CLUSTER_TABLE,
      [
        { type: 'host.created', host: '127.0.0.9', cluster: 'edge' },
        { type: 'host.created', host: '127.0.0.8' },
      ],
      ['127.0.0.2', '127.0.0.10'],
      [],
    ],
    [
      'without a cluster: requests the details of a host that leaves a cluster',
      UNASSIGNED_TABLE,
      [membersChanged('web', [], ['::1'])],
      ['127.0.0.2'],
      ['::1'],
    ],
    [
      'without a cluster: removes a host that joins a cluster',
      UNASSIGNED_TABLE,
      [membersChanged('web', ['127.0.0.2'], [])],
      [],
      [],
    ],
  ])('%s', (_name, table, events, addresses, missing) => {
    const updated = applyHostEvents(
      table,
      events.map((fields, index) => createEvent(index + 1, fields)),
    );
    expect(updated.rows.map(({ address }) => address)).toEqual(addresses);
    expect([...updated.missingDetails]).toEqual(missing);
    expect(updated.cluster).toBe(table.cluster);
  });

  test('keeps missing details across later events', () => {
    const later = applyHostEvents(
      applyHostEvents(CLUSTER_TABLE, [createEvent(1, membersChanged('web', ['::1'], []))]),
      [createEvent(2, { host: '127.0.0.2', data: { to: 'failed' } })],
    );
    expect([...later.missingDetails]).toEqual(['::1']);
  });
});
