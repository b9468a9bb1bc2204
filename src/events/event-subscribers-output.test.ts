import { beforeEach, describe, expect, test } from 'vitest';
import {
  EventSubscribersFixture,
  FakeEventSink,
  MAX_UNREAD_BYTES,
  range,
} from '../../test/harness/events/event-subscriber-fixtures.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { OutputNotification } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';

let fixture: EventSubscribersFixture;
beforeEach(() => {
  fixture = new EventSubscribersFixture();
});

describe('EventSubscribers with output notifications', () => {
  const notification = (operation: string, ...hosts: string[]) => ({
    ...{ operation, cluster: toRecordName('web'), hosts: hosts as Address[] },
  });
  const publish = (...notifications: OutputNotification[]) => {
    for (const listener of fixture.outputListeners) listener(notifications);
  };
  const NOTIFICATION = notification('op', '127.0.0.1', '127.0.0.2');

  test('sends them between events, only to clients that requested them', async () => {
    const [subscribed, other] = [fixture.subscribe({ includesOutput: true }), fixture.subscribe()];
    publish(NOTIFICATION);
    fixture.publish();
    await fixture.advance();
    publish(NOTIFICATION);
    expect(subscribed.received).toEqual(['output op 127.0.0.1 127.0.0.2', 11, 'output op 127.0.0.1 127.0.0.2']);
    expect(other.received).toEqual([11]);
  });

  test('sends only the notifications that match the filter', () => {
    const filters = [{ host: '127.0.0.2' }, { cluster: 'db' }, { operation: 'op' }, { operation: 'else' }];
    const sinks = filters.map(filter => fixture.subscribe({ includesOutput: true, filter }));
    publish(NOTIFICATION);
    expect(sinks.map(({ received }) => received)).toEqual([
      ['output op 127.0.0.2'],
      [],
      ['output op 127.0.0.1 127.0.0.2'],
      [],
    ]);
  });

  test('drops them while the buffer is half full, without disconnecting the client', async () => {
    const sink = fixture.subscribe({ includesOutput: true });
    sink.bufferedBytes = MAX_UNREAD_BYTES / 2;
    publish(NOTIFICATION);
    sink.bufferedBytes = 2 * MAX_UNREAD_BYTES;
    publish(NOTIFICATION);
    expect(sink.received).toEqual([]);
    sink.bufferedBytes = 0;
    publish(NOTIFICATION);
    expect(sink.received).toHaveLength(1);
  });

  test('sends none before the subscriber has caught up', async () => {
    const sink = fixture.subscribe({ includesOutput: true, startAfter: 0 });
    publish(NOTIFICATION);
    expect(sink.received).toEqual([]);
    await fixture.advance();
    publish(NOTIFICATION);
    expect(sink.received).toEqual([...range(1, 10), 'output op 127.0.0.1 127.0.0.2']);
  });

  test('unsubscribes when the client disconnects, even before the subscription', () => {
    fixture.subscribe({ includesOutput: true }).disconnect();
    const closed = new FakeEventSink();
    closed.onClosed = callback => callback();
    fixture.subscribe({ includesOutput: true }, closed);
    expect(fixture.outputListeners.size).toBe(0);
  });
});
