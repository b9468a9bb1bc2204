import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import type { LogEntry } from '../domain/events/event-log.ts';
import type { Signal } from '../domain/events/signal.ts';
import { VirtualClock } from '../lib/time/virtual-clock.ts';
import { Tail } from './tail.ts';

describe('the tail of a log', () => {
  let clock: VirtualClock;
  let entries: LogEntry[];
  let tail: Tail;
  let signal: (signal: Signal) => void;
  let isAway: boolean;
  let warnings: string[];
  let reads: number;

  const grow = (count: number) => {
    for (let more = 0; more < count; more += 1) entries.push(logged(entries.length + 1));
  };
  const idsOf = (given: readonly (readonly LogEntry[])[]) => given.flat().map(({ id }) => id);

  beforeEach(async () => {
    clock = new VirtualClock();
    [entries, isAway, warnings, reads] = [[], false, [], 0];
    grow(2);
    const log = {
      state: async () => ({ lastId: entries.length }),
      after: async (after: number, limit: number) => {
        reads += 1;
        if (isAway) throw new Error('away');
        return entries.filter(({ id }) => id > after).slice(0, limit);
      },
    };
    const store = {
      reads: { log },
      listen: (listener: (signal: Signal) => void) => {
        signal = listener;
        return () => {};
      },
    };
    tail = await Tail.start({
      store: store as unknown as Parameters<typeof Tail.start>[0]['store'],
      clock,
      log: { warn: () => warnings.push('away') },
    });
  });
  afterEach(() => tail.stop());

  test('begins at the end', () => {
    expect(tail.position).toBe(2);
  });

  test('is read soon after a signal, and given to every follower in order', async () => {
    const [one, other]: [LogEntry[][], LogEntry[][]] = [[], []];
    tail.follow(given => one.push([...given]));
    tail.follow(given => other.push([...given]));
    grow(3);
    signal('log');
    await clock.advance(50);
    expect(idsOf(one)).toEqual([3, 4, 5]);
    expect(other).toEqual(one);
    expect(tail.position).toBe(5);
  });

  test('is read within a second when the signal was lost', async () => {
    const given: LogEntry[][] = [];
    tail.follow(each => given.push([...each]));
    grow(1);
    await clock.advance(500);
    expect(given).toEqual([]);
    await clock.advance(501);
    expect(idsOf(given)).toEqual([3]);
  });

  test('is not read for signals of other things', async () => {
    signal('due');
    signal('outbox');
    await clock.advance(500);
    expect(reads).toBe(0);
  });

  test('is read in parts when much has come at once, none of it twice', async () => {
    const given: LogEntry[][] = [];
    tail.follow(each => given.push([...each]));
    grow(1300);
    signal('log');
    await clock.advance(50);
    expect(given.map(each => each.length)).toEqual([500, 500, 300]);
    expect(idsOf(given)).toEqual(Array.from({ length: 1300 }, (_, index) => index + 3));
  });

  test('resumes at its position after an outage of the store, and logs it once', async () => {
    const given: LogEntry[][] = [];
    tail.follow(each => given.push([...each]));
    isAway = true;
    grow(2);
    signal('log');
    await clock.advance(5000);
    expect([given, warnings]).toEqual([[], ['away']]);
    isAway = false;
    await clock.advance(1001);
    expect(idsOf(given)).toEqual([3, 4]);
  });

  test('gives nothing more to one who has ended that', async () => {
    const given: LogEntry[][] = [];
    tail.follow(each => given.push([...each]))();
    grow(1);
    signal('log');
    await clock.advance(50);
    expect(given).toEqual([]);
    expect(tail.position).toBe(3);
  });
});
