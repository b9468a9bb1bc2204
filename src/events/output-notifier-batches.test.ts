import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../test/harness/simulation/virtual-clock.ts';
import type { Address } from '../domain/addresses/address.ts';
import { MAX_HOSTS_PER_NOTIFICATION } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';
import { OutputBatcher } from './output-notifier.ts';

describe('OutputBatcher', () => {
  let clock: VirtualClock;
  let batcher: OutputBatcher;
  let received: string[];
  beforeEach(() => {
    clock = new VirtualClock();
    received = [];
    batcher = new OutputBatcher(clock, notifications => {
      for (const { operation, cluster, hosts } of notifications)
        received.push(`${clock.monotonicMs()} ${operation} ${cluster} ${hosts.join(' ')}`);
    });
  });
  const add = (operation: string, ...hosts: readonly string[]) => {
    for (const host of hosts)
      batcher.add({ operation, cluster: toRecordName(`of-${operation}`), host: host as Address });
  };

  test('sends one notification per operation 500 ms after the first output, with sorted and distinct hosts', async () => {
    add('a', '127.0.0.10', '::1', '127.0.0.9');
    await clock.advance(499);
    add('b', '127.0.0.1');
    add('a', '127.0.0.9', '127.0.0.2');
    expect(received).toEqual([]);
    await clock.advance(1);
    expect(received).toEqual(['500 a of-a 127.0.0.2 127.0.0.9 127.0.0.10 ::1', '500 b of-b 127.0.0.1']);
  });

  test('sends again only after new output', async () => {
    add('a', '127.0.0.1');
    await clock.advance(10_000);
    add('a', '127.0.0.1');
    await clock.advance(10_000);
    expect(received).toEqual(['500 a of-a 127.0.0.1', '10500 a of-a 127.0.0.1']);
    expect(clock.pending).toBe(0);
  });

  test('splits a notification that has too many hosts', async () => {
    const hosts = Array.from({ length: 2 * MAX_HOSTS_PER_NOTIFICATION + 1 }, (_, index) => `127.0.${index}.1`);
    add('a', ...hosts);
    await clock.advance(500);
    const hostLists = received.map(each => each.split(' ').slice(3));
    expect(hostLists.map(list => list.length)).toEqual([MAX_HOSTS_PER_NOTIFICATION, MAX_HOSTS_PER_NOTIFICATION, 1]);
    expect(hostLists.flat()).toEqual(hosts);
  });

  test('sends nothing after a stop', async () => {
    add('a', '127.0.0.1');
    batcher.stop();
    await clock.advance(1000);
    expect([received, clock.pending]).toEqual([[], 0]);
  });
});
