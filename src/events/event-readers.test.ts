import { beforeEach, describe, expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import { PretendOutlet } from '../../test/harness/events/pretend-outlet.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { LogEntry } from '../domain/events/event-log.ts';
import type { EventReading } from '../domain/events/event-reading.ts';
import type { OutboxEntry } from '../domain/events/outbox.ts';
import type { OutputHint } from '../domain/events/output-hint.ts';
import { recordNameOf } from '../domain/record-name.ts';
import type { EventType } from '../domain/vocabulary.ts';
import { VirtualClock } from '../lib/time/virtual-clock.ts';
import { EventReaders } from './event-readers.ts';
import type { HintFollower } from './output-hints.ts';
import type { Follower } from './tail.ts';

const settings = { maxReaders: 2000, maxReadersOfAccount: 1999, maxUnreadBytes: 1000, heartbeatMs: 15_000 };
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('readers of events', () => {
  let clock: VirtualClock;
  let entries: LogEntry[];
  let follower: Follower;
  let readers: EventReaders;
  let tail: { position: number; follow: (wanted: Follower) => () => void };
  let duringRead: () => void;
  let warnings: string[];
  const hintFollowers = new Set<HintFollower>();

  beforeEach(() => {
    clock = new VirtualClock();
    [entries, warnings] = [[], []];
    hintFollowers.clear();
    duringRead = () => {};
    tail = {
      position: 0,
      follow: wanted => {
        follower = wanted;
        return () => {};
      },
    };
    grow(10);
    tail.position = 10;
    readers = new EventReaders({
      clock,
      tail,
      hints: {
        follow: wanted => {
          hintFollowers.add(wanted);
          return () => hintFollowers.delete(wanted);
        },
      },
      settings,
      log: { warn: () => warnings.push('away') },
      readLog: async (after, limit) => {
        const page = entries.filter(({ id }) => id > after).slice(0, limit);
        duringRead();
        return page;
      },
    });
  });

  /** The log has more, and the tail does not know yet. */
  function grow(count: number, more: Partial<OutboxEntry> = {}): void {
    for (let made = 0; made < count; made += 1) entries.push(logged((entries.at(-1)?.id ?? 0) + 1, more));
  }
  /** The tail finds what is new. */
  function arrive(): void {
    const found = entries.filter(({ id }) => id > tail.position);
    tail.position = found.at(-1)?.id ?? tail.position;
    follower(found);
  }
  function happen(count = 1, more: Partial<OutboxEntry> = {}): void {
    grow(count, more);
    arrive();
  }
  function follow(reading: Partial<EventReading> = {}): PretendOutlet {
    const outlet = new PretendOutlet();
    const { position } = tail;
    readers.follow(
      {
        ...{ account: 'a', role: 'admin', filter: {}, from: position, admittedPosition: position },
        ...{ session: undefined, wantsOutput: false, reset: undefined },
        ...reading,
      },
      outlet,
    );
    return outlet;
  }
  const pass = () => clock.advance(600);

  describe('where reading the log goes over into following its end', () => {
    test.each([
      ['from the beginning', 0, range(1, 13)],
      ['from the middle', 7, range(8, 13)],
      ['from now on', 10, [11, 12, 13]],
      ['from what this server does not know yet', 12, [13]],
    ])('nothing is missing or told twice, %s', async (_what, from, expected) => {
      grow(2);
      const outlet = follow({ from });
      await pass();
      arrive();
      await pass();
      happen();
      await pass();
      expect(outlet.ids).toEqual(expected);
    });

    test('nothing is missing or told twice when more happens at every moment of it', async () => {
      grow(700);
      arrive();
      let left = 40;
      duringRead = () => {
        left -= 1;
        if (left < 0) return;
        if (left % 3 === 0) grow(1);
        else happen(left % 4);
      };
      const outlets = [0, 5, 350, 709].map(from => follow({ from }));
      for (let moment = 0; moment < 60; moment += 1) {
        if (moment % 2 === 0) happen();
        await clock.advance(7);
        if (moment % 10 === 0) outlets.push(follow({ from: moment }));
      }
      arrive();
      await pass();
      const last = entries.at(-1)?.id ?? 0;
      const begun = [0, 5, 350, 709, 0, 10, 20, 30, 40, 50];
      for (const [index, outlet] of outlets.entries())
        expect(outlet.told).toEqual(range((begun[index] ?? 0) + 1, last));
    });

    test('what is gone from the log ends it, so that the reader comes back and is told', async () => {
      entries.splice(0, 4);
      const outlet = follow({ from: 2 });
      await pass();
      expect(outlet.told).toEqual(['cut']);
    });

    test('a log that cannot be read ends it', async () => {
      duringRead = () => {
        throw new Error('away');
      };
      const outlet = follow({ from: 2 });
      await pass();
      expect([outlet.told, warnings]).toEqual([['cut'], ['away']]);
    });
  });

  test('numbers that jump ahead end it, so that each comes back and is told', async () => {
    const outlet = follow();
    entries.push(logged(1_000_000, { type: 'service.restored' }));
    arrive();
    await pass();
    expect(outlet.told).toEqual(['cut']);
    const back = follow({ from: 1_000_000, reset: { after: 10, position: 1_000_000 } });
    happen();
    await pass();
    expect(back.told).toEqual(['reset 10 to 1000000', 1_000_001]);
  });

  test('get the same list, if they want and may see the same', async () => {
    const [one, other] = [follow(), follow()];
    const [viewer, otherViewer] = [follow({ role: 'viewer' }), follow({ role: 'operator' })];
    happen(2);
    happen(1, { type: 'account.created' });
    await pass();
    expect(one.ids).toEqual([11, 12, 13]);
    expect(other.lists[0]).toBe(one.lists[0]);
    expect(viewer.ids).toEqual([11, 12]);
    expect(otherViewer.ids).toEqual([11, 12]);
  });

  test.each<[string, Partial<EventReading>, number[]]>([
    ['a cluster', { filter: { cluster: 'c' } }, [2, 12, 13]],
    ['a host', { filter: { host: '127.0.0.1' } }, [13, 14]],
    ['an operation', { filter: { operation: 'o' } }, [15]],
    ['all of it at once', { filter: { cluster: 'c', host: '127.0.0.1' } }, [13]],
    ['what others may not see', { role: 'viewer', filter: { cluster: 'd' } }, []],
  ])('get only what they asked for: %s', async (_what, reading, expected) => {
    entries[1] = logged(2, { cluster: 'c' });
    const outlet = follow({ ...reading, from: 0 });
    await pass();
    happen();
    happen(1, { cluster: 'c' });
    happen(1, { cluster: 'c', host: '127.0.0.1' });
    happen(1, { host: '127.0.0.1' });
    happen(1, { operation: 'o' });
    happen(1, { type: 'request.refused', cluster: 'd' });
    await pass();
    expect(outlet.told).toEqual(expected);
  });

  test('are given signs of life, and where they are when that was not told by an event', async () => {
    const [all, some] = [follow(), follow({ filter: { cluster: 'c' } })];
    await clock.advance(15_100);
    happen(3);
    await clock.advance(15_000);
    await clock.advance(15_000);
    expect(all.told).toEqual(['beat', 11, 12, 13, 'beat', 'beat']);
    expect(some.told).toEqual(['beat', 'beat at 13', 'beat']);
  });

  test('are not waited for: one who leaves too much unread is cut off, and the others go on', async () => {
    const [slow, fast] = [follow(), follow()];
    slow.isReading = false;
    for (let more = 0; more < 20; more += 1) {
      happen();
      await pass();
    }
    expect(slow.told).toEqual([...range(11, 21), 'cut']);
    expect(fast.ids).toEqual(range(11, 30));
  });

  test('who catch up are given a page, and the next when they have read it', async () => {
    grow(990);
    arrive();
    const outlet = follow({ from: 0 });
    outlet.isReading = false;
    await pass();
    expect(outlet.ids).toEqual(range(1, 200));
    outlet.readOn();
    await pass();
    expect(outlet.ids).toEqual(range(1, 1000));
  });

  test('fetch from the log what comes faster than it can be given', async () => {
    const outlet = follow();
    await pass();
    happen(4000);
    happen(4000);
    await pass();
    expect(outlet.told).toEqual(range(11, 8010));
  });

  test('are not given much at once, however little it is in number: that they fetch, as they read', async () => {
    const outlet = follow();
    await pass();
    outlet.isReading = false;
    happen(20, { dataJson: JSON.stringify({ reason: 'x'.repeat(60_000) }) });
    await pass();
    expect(outlet.ids).toEqual([11]);
    outlet.readOn();
    await pass();
    expect(outlet.told).toEqual(range(11, 30));
  });

  test.each<[string, EventType, string, boolean]>([
    ['another password', 'account.password', 'a', true],
    ['another role', 'account.changed', 'a', true],
    ['its removal', 'account.removed', 'a', true],
    ['its creation, of which the log hears late', 'account.created', 'a', false],
    ['what happens to another', 'account.removed', 'b', false],
  ])('end with %s: %s of %s', async (_what, type, subject, isEnded) => {
    const [outlet, catching] = [follow({ role: 'viewer' }), follow({ role: 'viewer', from: 0 })];
    happen(1, { type, subject });
    await pass();
    happen();
    await pass();
    expect(outlet.told).toEqual(isEnded ? ['ended'] : [12]);
    expect(catching.told).toEqual([...range(1, 10), ...(isEnded ? ['ended'] : [12])]);
  });

  const session = { id: 's-1', untilMs: 40_000 };
  const signedOut = (...sessions: string[]): Partial<OutboxEntry> => ({
    ...{ type: 'account.signed_out', subject: 'a', dataJson: JSON.stringify({ sessions }) },
  });

  test.each<[string, Partial<EventReading>, Partial<OutboxEntry>, boolean]>([
    ['its sign-out', { session }, signedOut('s-1'), true],
    ['the sign-out of several', { session }, signedOut('s-0', 's-1'), true],
    ['the sign-out of another session', { session }, signedOut('s-2'), false],
    ['a sign-out, when it reads by a password', {}, signedOut('s-1'), false],
    ['a sign-in', { session }, { type: 'account.signed_in', dataJson: '{"session":"s-1"}' }, false],
    ['another password', { session }, { type: 'account.password', subject: 'a' }, true],
  ])('end, when they read by a session, with %s', async (_what, reading, entry, isEnded) => {
    const outlet = follow({ role: 'viewer', ...reading });
    happen(1, entry);
    await pass();
    happen();
    await pass();
    expect(outlet.told).toEqual(isEnded ? ['ended'] : [12]);
  });

  test('end when the session does by which they read, and not before', async () => {
    const [outlet, over] = [follow({ session }), follow({ session: { id: 's-2', untilMs: -5 } })];
    await clock.advance(39_999);
    expect([outlet.told, over.told]).toEqual([['beat', 'beat'], ['ended']]);
    await clock.advance(1);
    expect(outlet.told).toEqual(['beat', 'beat', 'ended']);
    expect(clock.pending).toBe(0);
  });

  test('do not end with what happened to the account before it was let in', async () => {
    entries[4] = logged(5, { type: 'account.password', subject: 'a' });
    const outlet = follow({ from: 0 });
    await pass();
    expect(outlet.told).toEqual(range(1, 10));
  });

  test('end with what happened to the account between letting it in and beginning', async () => {
    happen(1, { type: 'account.removed', subject: 'a' });
    await pass();
    const outlet = follow({ from: 11, admittedPosition: 10 });
    await pass();
    expect(outlet.told).toEqual(['ended']);
  });

  test('who leave are forgotten, and nothing waits for them', async () => {
    const outlets = [follow(), follow({ from: 0, session })];
    for (const outlet of outlets) outlet.leave();
    happen();
    await clock.advance(60_000);
    expect(outlets.map(outlet => outlet.told)).toEqual([[], []]);
    expect(clock.pending).toBe(0);
  });

  describe('who have asked for hints of output', () => {
    const hint = (operation: string, ...hosts: string[]) => ({
      ...{ operation, cluster: recordNameOf('web'), hosts: hosts as Address[] },
    });
    const tell = (...hints: OutputHint[]) => {
      for (const give of hintFollowers) give(hints);
    };
    const HINT = hint('op', '127.0.0.1', '127.0.0.2');

    test('are given them beside events, and nobody else is', async () => {
      const [asked, other] = [follow({ wantsOutput: true }), follow()];
      tell(HINT);
      happen();
      await pass();
      tell(HINT);
      expect(asked.told).toEqual(['output op 127.0.0.1 127.0.0.2', 11, 'output op 127.0.0.1 127.0.0.2']);
      expect(other.told).toEqual([11]);
    });

    test('are given only those that they want', () => {
      const filters = [{ host: '127.0.0.2' }, { cluster: 'db' }, { operation: 'op' }, { operation: 'else' }];
      const outlets = filters.map(filter => follow({ wantsOutput: true, filter }));
      tell(HINT);
      expect(outlets.map(({ told }) => told)).toEqual([
        ['output op 127.0.0.2'],
        [],
        ['output op 127.0.0.1 127.0.0.2'],
        [],
      ]);
    });

    test('are given none while they have much unread, and are not cut off for them', async () => {
      const outlet = follow({ wantsOutput: true });
      outlet.unreadBytes = settings.maxUnreadBytes / 2;
      tell(HINT);
      outlet.unreadBytes = 2 * settings.maxUnreadBytes;
      tell(HINT);
      expect(outlet.told).toEqual([]);
      outlet.unreadBytes = 0;
      tell(HINT);
      expect(outlet.told).toHaveLength(1);
    });

    test('are given none before they have caught up', async () => {
      const outlet = follow({ wantsOutput: true, from: 0 });
      tell(HINT);
      expect(outlet.told).toEqual([]);
      await pass();
      tell(HINT);
      expect(outlet.told).toEqual([...range(1, 10), 'output op 127.0.0.1 127.0.0.2']);
    });

    test('are forgotten when they leave, also before it has begun', () => {
      follow({ wantsOutput: true }).leave();
      const gone = new PretendOutlet();
      gone.onClosed = callback => callback();
      const reading = { account: 'a', role: 'admin', filter: {}, from: 10, admittedPosition: 10 } as const;
      readers.follow({ ...reading, wantsOutput: true, session: undefined, reset: undefined }, gone);
      expect(hintFollowers.size).toBe(0);
    });
  });

  test('are counted, all and those of each account', () => {
    const outlets = Array.from({ length: 1999 }, () => follow({ account: 'busy' }));
    const isFull = () => [readers.isFull, readers.isFullFor('busy'), readers.isFullFor('other')];
    expect(isFull()).toEqual([false, true, false]);
    follow({ account: 'other' });
    expect(isFull()).toEqual([true, true, false]);
    outlets[0]?.leave();
    expect(isFull()).toEqual([false, false, false]);
  });

  test('share fewer writes the more they are, and none waits for long', async () => {
    const outlets = Array.from({ length: 1000 }, () => follow());
    await pass();
    for (let more = 0; more < 50; more += 1) {
      happen();
      await clock.advance(20);
    }
    await pass();
    for (const outlet of [outlets[0], outlets[999]]) {
      expect(outlet?.ids).toEqual(range(11, 60));
      expect(outlet?.lists.length).toBeLessThan(15);
    }
  });

  test('end all at once when the server stops, and nobody begins any more', async () => {
    const outlets = [follow(), follow({ from: 0 })];
    readers.stop();
    outlets.push(follow());
    await pass();
    expect(outlets.map(outlet => outlet.told)).toEqual([['ended'], ['ended'], ['ended']]);
    expect(clock.pending).toBe(0);
  });
});
