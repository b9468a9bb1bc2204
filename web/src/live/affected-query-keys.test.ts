import { describe, expect, test } from 'vitest';
import { createEvent } from '../../../test/harness/events/event-fixtures.ts';
import { affectedQueryKeys } from './affected-query-keys.ts';
import type { LoggedEvent } from './recent-events.ts';

const CASES: readonly (readonly [of: string, fields: Partial<LoggedEvent>, keys: readonly string[]])[] = [
  [
    'a host status change',
    { type: 'host.status', host: '127.0.0.1', cluster: 'web' },
    [
      ...['audit', 'overview', 'health-checks', 'host 127.0.0.1 record', 'host 127.0.0.1 status'],
      ...['host 127.0.0.1 checks', 'cluster web record', 'operation-details'],
    ],
  ],
  [
    'a host whose hostname is known now',
    { type: 'host.status', host: '127.0.0.1', data: { to: 'bootstrapping' } },
    [
      ...['audit', 'overview', 'health-checks', 'host 127.0.0.1 record', 'host 127.0.0.1 status'],
      ...['host 127.0.0.1 checks', 'hostnames', 'operation-details'],
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
    'a phase of an operation host, without the overview',
    { type: 'operation.host', host: '127.0.0.1', operation: 'op1' },
    ['audit', 'operations', 'operation-details op1', 'host 127.0.0.1 status'],
  ],
  [
    'an operation that ends',
    { type: 'operation.ended', operation: 'op1', cluster: 'web' },
    ['audit', 'operations', 'past-operations', 'overview', 'operation-details op1'],
  ],
  ['read secrets', { type: 'network.secrets_read', data: { name: 'lab' } }, ['audit']],
  [
    'a host that was enrolled with a token',
    { type: 'host.created', host: '127.0.0.1', data: { token: 'racks' } },
    ['audit', 'overview', 'health-checks', 'host 127.0.0.1', 'tokens'],
  ],
  ['a changed network', { type: 'network.changed', data: { name: 'lab' } }, ['audit', 'networks', 'network lab']],
  ['the global pause', { type: 'operations.paused' }, ['audit', 'global-pause', 'operations', 'operation-details']],
  ['an event that no page shows', { type: 'data_key.rotated' }, ['audit']],
];

describe('affectedQueryKeys', () => {
  test.each(CASES)('returns the keys for %s', (_title, fields, keys) => {
    expect(affectedQueryKeys(createEvent(1, fields)).map(key => key.join(' '))).toEqual(keys);
  });
});
