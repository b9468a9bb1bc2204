import { beforeEach, describe, expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import { ReadersLab, range } from '../../test/harness/events/readers-lab.ts';
import type { EventSubscription } from '../domain/events/event-subscription.ts';

describe('readers of events', () => {
  let lab: ReadersLab;
  beforeEach(() => {
    lab = new ReadersLab();
  });

  test('numbers that jump ahead end it, so that each comes back and is told', async () => {
    const outlet = lab.follow();
    lab.entries.push(logged(1_000_000, { type: 'service.restored' }));
    lab.arrive();
    await lab.pass();
    expect(outlet.told).toEqual(['cut']);
    const back = lab.follow({ startAfter: 1_000_000, reset: { after: 10, position: 1_000_000 } });
    lab.happen();
    await lab.pass();
    expect(back.told).toEqual(['reset 10 to 1000000', 1_000_001]);
  });

  test('get the same list, if they want and may see the same', async () => {
    const [one, other] = [lab.follow(), lab.follow()];
    const [viewer, otherViewer] = [lab.follow({ role: 'viewer' }), lab.follow({ role: 'operator' })];
    lab.happen(2);
    lab.happen(1, { type: 'account.created' });
    await lab.pass();
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
  ])('get only what they asked for: %s', async (_what, reading, expected) => {
    lab.entries[1] = logged(2, { cluster: 'c' });
    const outlet = lab.follow({ ...reading, startAfter: 0 });
    await lab.pass();
    lab.happen();
    lab.happen(1, { cluster: 'c' });
    lab.happen(1, { cluster: 'c', host: '127.0.0.1' });
    lab.happen(1, { host: '127.0.0.1' });
    lab.happen(1, { operation: 'o' });
    lab.happen(1, { type: 'request.denied', cluster: 'd' });
    await lab.pass();
    expect(outlet.told).toEqual(expected);
  });

  test('are given signs of life, and where they are when that was not told by an event', async () => {
    const [all, some] = [lab.follow(), lab.follow({ filter: { cluster: 'c' } })];
    await lab.clock.advance(15_100);
    lab.happen(3);
    await lab.clock.advance(15_000);
    await lab.clock.advance(15_000);
    expect(all.told).toEqual(['beat', 11, 12, 13, 'beat', 'beat']);
    expect(some.told).toEqual(['beat', 'beat at 13', 'beat']);
  });

  test('are not waited for: one who leaves too much unread is cut off, and the others go on', async () => {
    const [slow, fast] = [lab.follow(), lab.follow()];
    slow.isReading = false;
    for (let more = 0; more < 20; more += 1) {
      lab.happen();
      await lab.pass();
    }
    expect(slow.told).toEqual([...range(11, 21), 'cut']);
    expect(fast.ids).toEqual(range(11, 30));
  });

  test('who catch up are given a page, and the next when they have read it', async () => {
    lab.grow(990);
    lab.arrive();
    const outlet = lab.follow({ startAfter: 0 });
    outlet.isReading = false;
    await lab.pass();
    expect(outlet.ids).toEqual(range(1, 200));
    outlet.readOn();
    await lab.pass();
    expect(outlet.ids).toEqual(range(1, 1000));
  });

  test('fetch from the log what comes faster than it can be given', async () => {
    const outlet = lab.follow();
    await lab.pass();
    lab.happen(4000);
    lab.happen(4000);
    await lab.pass();
    expect(outlet.told).toEqual(range(11, 8010));
  });

  test('are not given much at once, however little it is in number: that they fetch, as they read', async () => {
    const outlet = lab.follow();
    await lab.pass();
    outlet.isReading = false;
    lab.happen(20, { dataJson: JSON.stringify({ reason: 'x'.repeat(60_000) }) });
    await lab.pass();
    expect(outlet.ids).toEqual([11]);
    outlet.readOn();
    await lab.pass();
    expect(outlet.told).toEqual(range(11, 30));
  });

  test('are counted, all and those of each account', () => {
    const outlets = Array.from({ length: 1999 }, () => lab.follow({ account: 'busy' }));
    const isFull = () => [lab.readers.isFull, lab.readers.isFullFor('busy'), lab.readers.isFullFor('other')];
    expect(isFull()).toEqual([false, true, false]);
    lab.follow({ account: 'other' });
    expect(isFull()).toEqual([true, true, false]);
    outlets[0]?.leave();
    expect(isFull()).toEqual([false, false, false]);
  });

  test('share fewer writes the more they are, and none waits for long', async () => {
    const outlets = Array.from({ length: 1000 }, () => lab.follow());
    await lab.pass();
    for (let more = 0; more < 50; more += 1) {
      lab.happen();
      await lab.clock.advance(20);
    }
    await lab.pass();
    for (const outlet of [outlets[0], outlets[999]]) {
      expect(outlet?.ids).toEqual(range(11, 60));
      expect(outlet?.lists.length).toBeLessThan(15);
    }
  });
});
