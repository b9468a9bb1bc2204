import { describe, expect, it } from 'vitest';
import { affectedQueryKeys } from './affected-query-keys.ts';
import { createEvent } from './event-fixtures.ts';
import type { LoggedEvent } from './recent-events.ts';

const CASES: readonly (readonly [of: string, fields: Partial<LoggedEvent>, keys: readonly string[]])[] = [
  [
    'a status of a host',
    { type: 'host.status', host: '127.0.0.1', cluster: 'web' },
    [
      ...['audit', 'overview', 'watch', 'host 127.0.0.1 record', 'host 127.0.0.1 status'],
      ...['host 127.0.0.1 checks', 'cluster web record', 'operation-whole'],
    ],
  ],
  [
    'hosts that join and leave',
    { type: 'cluster.members', cluster: 'web', data: { joined: ['127.0.0.1'], left: ['127.0.0.2'] } },
    [
      ...['audit', 'clusters', 'overview', 'cluster web record', 'cluster web policy'],
      ...['host 127.0.0.1 status', 'host 127.0.0.2 status'],
    ],
  ],
  [
    'a phase of a host of an operation, which changes no count of the overview',
    { type: 'operation.host', host: '127.0.0.1', operation: 'op1' },
    ['audit', 'operations', 'operation-whole op1', 'host 127.0.0.1 status'],
  ],
  [
    'an operation that ends',
    { type: 'operation.ended', operation: 'op1', cluster: 'web' },
    ['audit', 'operations', 'ended-operations', 'overview', 'operation-whole op1'],
  ],
  ['secrets that somebody has read', { type: 'network.secrets_read', data: { name: 'lab' } }, ['audit']],
  [
    'a host that has enrolled itself by a token',
    { type: 'host.created', host: '127.0.0.1', data: { token: 'racks' } },
    ['audit', 'overview', 'watch', 'host 127.0.0.1', 'tokens'],
  ],
  ['a network', { type: 'network.changed', data: { name: 'lab' } }, ['audit', 'networks', 'network lab']],
  [
    'all operations that are held',
    { type: 'operations.paused' },
    ['audit', 'hold', 'operations', 'operation-whole'],
  ],
  ['what no page shows', { type: 'data_key.rotated' }, ['audit']],
];

describe('whatChanges', () => {
  it.each(CASES)('%s', (_title, fields, keys) => {
    expect(affectedQueryKeys(createEvent(1, fields)).map(key => key.join(' '))).toEqual(keys);
  });
});
