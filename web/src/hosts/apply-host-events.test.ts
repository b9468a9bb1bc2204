import { describe, expect, it } from 'vitest';
import { createEvent } from '../live/event-fixtures.ts';
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
    'a host that does not answer has a reason',
    [{ host: '127.0.0.2', data: { from: 'active', to: 'unreachable', reason: 'timed_out: …' } }],
    [row('127.0.0.2', { status: 'unreachable', reason: 'timed_out: …' }), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'one that answers again has none',
    [
      { host: '127.0.0.2', data: { from: 'active', to: 'unreachable', reason: 'timed_out: …' } },
      { host: '127.0.0.2', data: { from: 'unreachable', to: 'active' } },
    ],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'the facts of one that was looked at are to be read',
    [{ host: '127.0.0.2', data: { from: 'investigating', to: 'bootstrapping' } }],
    [row('127.0.0.2', { status: 'bootstrapping' }), row('127.0.0.10', { cluster: '' })],
    ['127.0.0.2'],
  ],
  [
    'a new one stands where its address belongs, by its number',
    [{ type: 'host.created', host: '127.0.0.9', cluster: 'web' }],
    [row('127.0.0.2'), row('127.0.0.9', NEW), row('127.0.0.10', { cluster: '' })],
    ['127.0.0.9'],
  ],
  [
    'IPv6 comes after IPv4',
    [{ type: 'host.created', host: '::1' }],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' }), row('::1', { ...NEW, cluster: '' })],
    ['::1'],
  ],
  [
    'one that was read after it was made keeps what was read',
    [{ type: 'host.created', host: '127.0.0.2' }],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' })],
    ['127.0.0.2'],
  ],
  [
    'one that was removed is gone, and nothing of it is to be read',
    [
      { host: '127.0.0.2', data: { from: 'investigating', to: 'failed' } },
      { type: 'host.removed', host: '127.0.0.2' },
    ],
    [row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'one that was removed and enrolled again is another',
    [
      { type: 'host.removed', host: '127.0.0.2' },
      { type: 'host.created', host: '127.0.0.2' },
    ],
    [row('127.0.0.2', { ...NEW, cluster: '' }), row('127.0.0.10', { cluster: '' })],
    ['127.0.0.2'],
  ],
  [
    'labels are replaced',
    [{ type: 'host.labels_changed', host: '127.0.0.2', data: { labels: { zone: 'a' } } }],
    [row('127.0.0.2', { labels: { zone: 'a' } }), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'maintenance begins',
    [{ type: 'host.maintenance_changed', host: '127.0.0.2', data: { on: true, reason: 'disk' } }],
    [row('127.0.0.2', { isInMaintenance: true }), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'hosts move from cluster to cluster',
    [
      { type: 'cluster.members', cluster: 'web', data: { joined: ['127.0.0.10'], left: ['127.0.0.2'] } },
      { type: 'cluster.members', cluster: 'edge', data: { joined: ['127.0.0.2'], left: [] } },
    ],
    [row('127.0.0.2', { cluster: 'edge' }), row('127.0.0.10')],
    [],
  ],
  [
    'who is in another cluster by now does not leave that',
    [{ type: 'cluster.members', cluster: 'edge', data: { joined: [], left: ['127.0.0.2'] } }],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' })],
    [],
  ],
  [
    'nothing becomes of hosts that are not known',
    [{ host: '127.0.0.77', data: { from: 'active', to: 'failed' } }],
    [row('127.0.0.2'), row('127.0.0.10', { cluster: '' })],
    [],
  ],
];

describe('foldFleet', () => {
  it.each(CASES)('%s', (_name, events, rows, missing) => {
    const updated = applyHostEvents(
      TABLE,
      events.map((fields, index) => createEvent(index + 1, fields)),
    );
    expect(updated.rows).toEqual(rows);
    expect([...updated.missingDetails]).toEqual(missing);
    expect([...updated.indexByAddress]).toEqual(rows.map(({ address }, index) => [address, index]));
  });

  it.each<[string, Partial<LoggedEvent>]>([
    ['another noun', { type: 'network.changed' }],
    ['a word that is no status', { host: '127.0.0.2', data: { to: 'merry' } }],
    [
      'a host that was looked at and is not known',
      { host: '::9', data: { from: 'investigating', to: 'failed' } },
    ],
    ['a host that is gone already', { type: 'host.removed', host: '::9' }],
    [
      'hosts that join and are not known',
      { type: 'cluster.members', cluster: 'web', data: { joined: ['::9'] } },
    ],
  ])('%s leaves the very same object', (_title, fields) => {
    expect(applyHostEvents(TABLE, [createEvent(1, fields)])).toBe(TABLE);
  });
});

const CLUSTER_TABLE = createHostTable([row('127.0.0.2'), row('127.0.0.10')], 'web');
const UNASSIGNED_TABLE = createHostTable([row('127.0.0.2', { cluster: '' })], '');
const membersChanged = (cluster: string, joined: readonly string[], left: readonly string[]) => ({
  ...{ type: 'cluster.members' as const, cluster, data: { joined, left } },
});

describe('foldFleet of one cluster', () => {
  it.each<
    [
      string,
      HostTable,
      readonly Partial<LoggedEvent>[],
      addresses: readonly string[],
      missing: readonly string[],
    ]
  >([
    [
      'who joins is to be read',
      CLUSTER_TABLE,
      [membersChanged('web', ['::1'], [])],
      ['127.0.0.2', '127.0.0.10'],
      ['::1'],
    ],
    [
      'who joins and leaves again is not',
      CLUSTER_TABLE,
      [membersChanged('web', ['::1'], []), membersChanged('web', [], ['::1'])],
      ['127.0.0.2', '127.0.0.10'],
      [],
    ],
    [
      'nor who goes on to another cluster, or is removed',
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
      'who comes from another is, whichever is told first',
      CLUSTER_TABLE,
      [membersChanged('web', ['::1'], []), membersChanged('edge', [], ['::1'])],
      ['127.0.0.2', '127.0.0.10'],
      ['::1'],
    ],
    ['who leaves is gone', CLUSTER_TABLE, [membersChanged('web', [], ['127.0.0.2'])], ['127.0.0.10'], []],
    [
      'who joins another is gone',
      CLUSTER_TABLE,
      [membersChanged('edge', ['127.0.0.2'], [])],
      ['127.0.0.10'],
      [],
    ],
    [
      'one that is enrolled into it is there',
      CLUSTER_TABLE,
      [{ type: 'host.created', host: '127.0.0.9', cluster: 'web' }],
      ['127.0.0.2', '127.0.0.9', '127.0.0.10'],
      ['127.0.0.9'],
    ],
    [
      'one that is enrolled into another, or none, is not',
      CLUSTER_TABLE,
      [
        { type: 'host.created', host: '127.0.0.9', cluster: 'edge' },
        { type: 'host.created', host: '127.0.0.8' },
      ],
      ['127.0.0.2', '127.0.0.10'],
      [],
    ],
    [
      'of none: who leaves a cluster is to be read',
      UNASSIGNED_TABLE,
      [membersChanged('web', [], ['::1'])],
      ['127.0.0.2'],
      ['::1'],
    ],
    ['of none: who joins one is gone', UNASSIGNED_TABLE, [membersChanged('web', ['127.0.0.2'], [])], [], []],
  ])('%s', (_name, table, events, addresses, missing) => {
    const updated = applyHostEvents(
      table,
      events.map((fields, index) => createEvent(index + 1, fields)),
    );
    expect(updated.rows.map(({ address }) => address)).toEqual(addresses);
    expect([...updated.missingDetails]).toEqual(missing);
    expect(updated.cluster).toBe(table.cluster);
  });

  it('who joined while nobody looked is still to be read after more events', () => {
    const later = applyHostEvents(
      applyHostEvents(CLUSTER_TABLE, [createEvent(1, membersChanged('web', ['::1'], []))]),
      [createEvent(2, { host: '127.0.0.2', data: { to: 'failed' } })],
    );
    expect([...later.missingDetails]).toEqual(['::1']);
  });
});
