import { expect, test } from 'vitest';
import { AcknowledgedChanges } from './consistency-checks.ts';

const publishedEvent = (type: string, record: object) => ({ type, event: { type, ...record } });

test('findViolations reports acknowledged changes without an event or with two events', () => {
  const acknowledged = new AcknowledgedChanges();
  for (const name of ['one', 'two', 'three']) acknowledged.add('cluster.created', name);
  for (const type of ['host.created', 'host.removed', 'host.created']) acknowledged.add(type, '127.200.0.1');
  acknowledged.add('operation.ended', 'x');
  const events = [
    publishedEvent('cluster.created', { cluster: 'one' }),
    publishedEvent('cluster.created', { cluster: 'three' }),
    publishedEvent('cluster.created', { cluster: 'three' }),
    publishedEvent('cluster.created', { cluster: 'of another client' }),
    publishedEvent('host.created', { host: '127.200.0.1' }),
    publishedEvent('host.removed', { host: '127.200.0.1' }),
    publishedEvent('operation.ended', { operation: 'x', cluster: 'ring', host: null }),
  ];
  expect(acknowledged.findViolations(events)).toEqual([
    'cluster.created of two was acknowledged 1 times, and published 0 times',
    'cluster.created of three was acknowledged 1 times, and published 2 times',
    'host.created of 127.200.0.1 was acknowledged 2 times, and published 1 times',
  ]);
});
