import { beforeEach, describe, expect, test } from 'vitest';
import { EventSubscribersFixture, range } from '../../test/harness/events/event-subscriber-fixtures.ts';
import { logEntry } from '../../test/harness/events/outbox-entries.ts';
import type { EventSubscription } from '../domain/events/event-subscription.ts';

describe('EventSubscribers', () => {
  let fixture: EventSubscribersFixture;
  beforeEach(() => {
    fixture = new EventSubscribersFixture();
  });

  test('disconnects subscribers when ids jump after a restore, and resets them on reconnect', async () => {
    const sink = fixture.subscribe();
    fixture.entries.push(logEntry(1_000_000, { type: 'service.restored' }));
    fixture.deliver();
    await fixture.advance();
    expect(sink.received).toEqual(['cut']);
    const reconnected = fixture.subscribe({
      startAfter: 1_000_000,
      reset: { after: 10, position: 1_000_000 },
    });
    fixture.publish();
    await fixture.advance();
    expect(reconnected.received).toEqual(['reset 10 to 1000000', 1_000_001]);
  });

  test('sends the same array to subscribers with the same role and filter', async () => {
    const [first, second] = [fixture.subscribe(), fixture.subscribe()];
    const [viewer, otherViewer] = [fixture.subscribe({ role: 'viewer' }), fixture.subscribe({ role: 'operator' })];
    fixture.publish(2);
    fixture.publish(1, { type: 'account.created' });
    await fixture.advance();
    expect(first.ids).toEqual([11, 12, 13]);
    expect(second.batches[0]).toBe(first.batches[0]);
    expect(viewer.ids).toEqual([11, 12]);
    expect(otherViewer.ids).toEqual([11, 12]);
  });

  test.each<[string, Partial<EventSubscription>, number[]]>([
    ['a cluster', { filter: { cluster: 'c' } }, [2, 12, 13]],
    ['a host', { filter: { host: '127.0.0.1' } }, [13, 14]],
    ['an operation', { filter: { operation: 'o' } }, [15]],
    ['a cluster and a host', { filter: { cluster: 'c', host: '127.0.0.1' } }, [13]],
    ['events that a viewer may not see', { role: 'viewer', filter: { cluster: 'd' } }, []],
  ])('sends only matching events: %s', async (_case, subscription, expected) => {
    fixture.entries[1] = logEntry(2, { cluster: 'c' });
    const sink = fixture.subscribe({ ...subscription, startAfter: 0 });
    await fixture.advance();
    fixture.publish();
    fixture.publish(1, { cluster: 'c' });
    fixture.publish(1, { cluster: 'c', host: '127.0.0.1' });
    fixture.publish(1, { host: '127.0.0.1' });
    fixture.publish(1, { operation: 'o' });
    fixture.publish(1, { type: 'request.denied', cluster: 'd' });
    await fixture.advance();
    expect(sink.received).toEqual(expected);
  });

  test('sends heartbeats, with the position if no event has announced it', async () => {
    const [all, some] = [fixture.subscribe(), fixture.subscribe({ filter: { cluster: 'c' } })];
    await fixture.clock.advance(15_100);
    fixture.publish(3);
    await fixture.clock.advance(15_000);
    await fixture.clock.advance(15_000);
    expect(all.received).toEqual(['beat', 11, 12, 13, 'beat', 'beat']);
    expect(some.received).toEqual(['beat', 'beat at 13', 'beat']);
  });

  test('disconnects a slow client without delaying the others', async () => {
    const [slow, fast] = [fixture.subscribe(), fixture.subscribe()];
    slow.isReading = false;
    for (let more = 0; more < 20; more += 1) {
      fixture.publish();
      await fixture.advance();
    }
    expect(slow.received).toEqual([...range(11, 21), 'cut']);
    expect(fast.ids).toEqual(range(11, 30));
  });

  test('sends the next page of a catch-up after the client has read the previous one', async () => {
    fixture.appendEntries(990);
    fixture.deliver();
    const sink = fixture.subscribe({ startAfter: 0 });
    sink.isReading = false;
    await fixture.advance();
    expect(sink.ids).toEqual(range(1, 200));
    sink.resumeReading();
    await fixture.advance();
    expect(sink.ids).toEqual(range(1, 1000));
  });

  test('switches to reading the log when events arrive faster than they are sent', async () => {
    const sink = fixture.subscribe();
    await fixture.advance();
    fixture.publish(4000);
    fixture.publish(4000);
    await fixture.advance();
    expect(sink.received).toEqual(range(11, 8010));
  });

  test('switches to reading the log when pending events are too large in total', async () => {
    const sink = fixture.subscribe();
    await fixture.advance();
    sink.isReading = false;
    fixture.publish(20, { dataJson: JSON.stringify({ reason: 'x'.repeat(60_000) }) });
    await fixture.advance();
    expect(sink.ids).toEqual([11]);
    sink.resumeReading();
    await fixture.advance();
    expect(sink.received).toEqual(range(11, 30));
  });

  test('enforces the limits in total and per account', () => {
    const sinks = Array.from({ length: 1999 }, () => fixture.subscribe({ account: 'busy' }));
    const isFull = () => [
      fixture.subscribers.isFull,
      fixture.subscribers.isFullFor('busy'),
      fixture.subscribers.isFullFor('other'),
    ];
    expect(isFull()).toEqual([false, true, false]);
    fixture.subscribe({ account: 'other' });
    expect(isFull()).toEqual([true, true, false]);
    sinks[0]?.disconnect();
    expect(isFull()).toEqual([false, false, false]);
  });

  test('merges more events into one write with more subscribers, within a maximum delay', async () => {
    const sinks = Array.from({ length: 1000 }, () => fixture.subscribe());
    await fixture.advance();
    for (let more = 0; more < 50; more += 1) {
      fixture.publish();
      await fixture.clock.advance(20);
    }
    await fixture.advance();
    for (const sink of [sinks[0], sinks[999]]) {
      expect(sink?.ids).toEqual(range(11, 60));
      expect(sink?.batches.length).toBeLessThan(15);
    }
  });
});
