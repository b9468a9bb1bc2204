import { beforeEach, describe, expect, test } from 'vitest';
import { PretendOutlet } from '../../test/harness/events/pretend-outlet.ts';
import { MAX_UNREAD_BYTES, ReadersLab, range } from '../../test/harness/events/readers-lab.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { OutputNotification } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';

let fixture: ReadersLab;
beforeEach(() => {
  fixture = new ReadersLab();
});

describe('readers who have asked for hints of output', () => {
  const notification = (operation: string, ...hosts: string[]) => ({
    ...{ operation, cluster: toRecordName('web'), hosts: hosts as Address[] },
  });
  const publish = (...notifications: OutputNotification[]) => {
    for (const listener of fixture.hintFollowers) listener(notifications);
  };
  const NOTIFICATION = notification('op', '127.0.0.1', '127.0.0.2');

  test('are given them beside events, and nobody else is', async () => {
    const [subscribed, other] = [fixture.subscribe({ includesOutput: true }), fixture.subscribe()];
    publish(NOTIFICATION);
    fixture.happen();
    await fixture.pass();
    publish(NOTIFICATION);
    expect(subscribed.told).toEqual(['output op 127.0.0.1 127.0.0.2', 11, 'output op 127.0.0.1 127.0.0.2']);
    expect(other.told).toEqual([11]);
  });

  test('are given only those that they want', () => {
    const filters = [{ host: '127.0.0.2' }, { cluster: 'db' }, { operation: 'op' }, { operation: 'else' }];
    const sinks = filters.map(filter => fixture.subscribe({ includesOutput: true, filter }));
    publish(NOTIFICATION);
    expect(sinks.map(({ told }) => told)).toEqual([
      ['output op 127.0.0.2'],
      [],
      ['output op 127.0.0.1 127.0.0.2'],
      [],
    ]);
  });

  test('are given none while they have much unread, and are not cut off for them', async () => {
    const sink = fixture.subscribe({ includesOutput: true });
    sink.bufferedBytes = MAX_UNREAD_BYTES / 2;
    publish(NOTIFICATION);
    sink.bufferedBytes = 2 * MAX_UNREAD_BYTES;
    publish(NOTIFICATION);
    expect(sink.told).toEqual([]);
    sink.bufferedBytes = 0;
    publish(NOTIFICATION);
    expect(sink.told).toHaveLength(1);
  });

  test('are given none before they have caught up', async () => {
    const sink = fixture.subscribe({ includesOutput: true, startAfter: 0 });
    publish(NOTIFICATION);
    expect(sink.told).toEqual([]);
    await fixture.pass();
    publish(NOTIFICATION);
    expect(sink.told).toEqual([...range(1, 10), 'output op 127.0.0.1 127.0.0.2']);
  });

  test('are forgotten when they leave, also before it has begun', () => {
    fixture.subscribe({ includesOutput: true }).leave();
    const closed = new PretendOutlet();
    closed.onClosed = callback => callback();
    fixture.subscribe({ includesOutput: true }, closed);
    expect(fixture.hintFollowers.size).toBe(0);
  });
});
