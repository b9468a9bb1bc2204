import { expect, test } from 'vitest';
import { Acknowledged } from './acknowledged.ts';

const told = (type: string, record: object) => ({ type, event: { type, ...record } });

test('what was acknowledged and never told, or told twice, is found', () => {
  const acknowledged = new Acknowledged();
  for (const name of ['one', 'two', 'three']) acknowledged.add('cluster.created', name);
  for (const type of ['host.created', 'host.removed', 'host.created']) acknowledged.add(type, '127.200.0.1');
  acknowledged.add('operation.ended', 'x');
  const events = [
    told('cluster.created', { cluster: 'one' }),
    told('cluster.created', { cluster: 'three' }),
    told('cluster.created', { cluster: 'three' }),
    told('cluster.created', { cluster: 'of somebody else' }),
    told('host.created', { host: '127.200.0.1' }),
    told('host.removed', { host: '127.200.0.1' }),
    told('operation.ended', { operation: 'x', cluster: 'ring', host: null }),
  ];
  expect(acknowledged.problems(events)).toEqual([
    'cluster.created of two was acknowledged 1 times, and told 0 times',
    'cluster.created of three was acknowledged 1 times, and told 2 times',
    'host.created of 127.200.0.1 was acknowledged 2 times, and told 1 times',
  ]);
});
