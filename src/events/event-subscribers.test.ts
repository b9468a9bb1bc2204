import { beforeEach, describe, expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import { ReadersLab, range } from '../../test/harness/events/readers-lab.ts';
import type { EventSubscription } from '../domain/events/event-subscription.ts';

describe('readers of events', () => {
  let fixture: ReadersLab;
  beforeEach(() => {
    fixture = new ReadersLab();
  });

  test('numbers that jump ahead end it, so that each comes back and is told', async () => {
    const sink = fixture.subscribe();
    fixture.entries.push(logged(1_000_000, { type: 'service.restored' }));
    fixture.arrive();
    await fixture.pass();
    expect(sink.told).toEqual(['cut']);
    const reconnected = fixture.subscribe({
      startAfter: 1_000_000,
      reset: { after: 10, position: 1_000_000 },
    });
    fixture.happen();
    await fixture.pass();
    expect(reconnected.told).toEqual(['reset 10 to 1000000', 1_000_001]);
  });

  test('get the same list, if they want and may see the same', async () => {
    const [one, other] = [fixture.subscribe(), fixture.subscribe()];
    const [viewer, otherViewer] = [
      fixture.subscribe({ role: 'viewer' }),
      fixture.subscribe({ role: 'operator' }),
    ];
    fixture.happen(2);
    fixture.happen(1, { type: 'account.created' });
    await fixture.pass();
    expect(one.ids).toEqual([11, 12, 13]);
    expect(other.lists[0]).toBe(one.lists[0]);
    expect(viewer.ids).toEqual([11, 12]);
    expect(otherViewer.ids).toEqual([11, 12]);
  });

  test.each<[string, Partial<EventSubscription>, number[]]>([
    ['a cluster', { filter: { cluster: 'c' } }, [2, 12, 13]],
    ['a host', { filter: { host: '127.0.0.1' } }, [13, 14]],
    ['an operation', { filter: { operation: 'o' } }, [15]],
    ['all of it at once', { filter: { cluster: 'c', host: '127.0.0.1' } }, [13]],
    ['what others may not see', { role: 'viewer', filter: { cluster: 'd' } }, []],
  ])('get only what they asked for: %s', async (_what, subscription, expected) => {
    fixture.entries[1] = logged(2, { cluster: 'c' });
    const sink = fixture.subscribe({ ...subscription, startAfter: 0 });
    await fixture.pass();
    fixture.happen();
    fixture.happen(1, { cluster: 'c' });
    fixture.happen(1, { cluster: 'c', host: '127.0.0.1' });
    fixture.happen(1, { host: '127.0.0.1' });
    fixture.happen(1, { operation: 'o' });
    fixture.happen(1, { type: 'request.denied', cluster: 'd' });
    await fixture.pass();
    expect(sink.told).toEqual(expected);
  });

  test('are given signs of life, and where they are when that was not told by an event', async () => {
    const [all, some] = [fixture.subscribe(), fixture.subscribe({ filter: { cluster: 'c' } })];
    await fixture.clock.advance(15_100);
    fixture.happen(3);
    await fixture.clock.advance(15_000);
    await fixture.clock.advance(15_000);
    expect(all.told).toEqual(['beat', 11, 12, 13, 'beat', 'beat']);
    expect(some.told).toEqual(['beat', 'beat at 13', 'beat']);
  });

  test('are not waited for: one who leaves too much unread is cut off, and the others go on', async () => {
    const [slow, fast] = [fixture.subscribe(), fixture.subscribe()];
    slow.isReading = false;
    for (let more = 0; more < 20; more += 1) {
      fixture.happen();
      await fixture.pass();
    }
    expect(slow.told).toEqual([...range(11, 21), 'cut']);
    expect(fast.ids).toEqual(range(11, 30));
  });

  test('who catch up are given a page, and the next when they have read it', async () => {
    fixture.grow(990);
    fixture.arrive();
    const sink = fixture.subscribe({ startAfter: 0 });
    sink.isReading = false;
    await fixture.pass();
    expect(sink.ids).toEqual(range(1, 200));
    sink.readOn();
    await fixture.pass();
    expect(sink.ids).toEqual(range(1, 1000));
  });

  test('fetch from the log what comes faster than it can be given', async () => {
    const sink = fixture.subscribe();
    await fixture.pass();
    fixture.happen(4000);
    fixture.happen(4000);
    await fixture.pass();
    expect(sink.told).toEqual(range(11, 8010));
  });

  test('are not given much at once, however little it is in number: that they fetch, as they read', async () => {
    const sink = fixture.subscribe();
    await fixture.pass();
    sink.isReading = false;
    fixture.happen(20, { dataJson: JSON.stringify({ reason: 'x'.repeat(60_000) }) });
    await fixture.pass();
    expect(sink.ids).toEqual([11]);
    sink.readOn();
    await fixture.pass();
    expect(sink.told).toEqual(range(11, 30));
  });

  test('are counted, all and those of each account', () => {
    const sinks = Array.from({ length: 1999 }, () => fixture.subscribe({ account: 'busy' }));
    const isFull = () => [
      fixture.readers.isFull,
      fixture.readers.isFullFor('busy'),
      fixture.readers.isFullFor('other'),
    ];
    expect(isFull()).toEqual([false, true, false]);
    fixture.subscribe({ account: 'other' });
    expect(isFull()).toEqual([true, true, false]);
    sinks[0]?.leave();
    expect(isFull()).toEqual([false, false, false]);
  });

  test('share fewer writes the more they are, and none waits for long', async () => {
    const sinks = Array.from({ length: 1000 }, () => fixture.subscribe());
    await fixture.pass();
    for (let more = 0; more < 50; more += 1) {
      fixture.happen();
      await fixture.clock.advance(20);
    }
    await fixture.pass();
    for (const sink of [sinks[0], sinks[999]]) {
      expect(sink?.ids).toEqual(range(11, 60));
      expect(sink?.lists.length).toBeLessThan(15);
    }
  });
});
