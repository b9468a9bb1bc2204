import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import type { LogEntry } from '../domain/events/event-log.ts';
import type { Signal } from '../domain/events/signal.ts';
import { VirtualClock } from '../lib/time/virtual-clock.ts';
import { LogTail, onAccountChanges, onSessionEnds } from './log-tail.ts';

describe('the tail of a log', () => {
  let clock: VirtualClock;
  let entries: LogEntry[];
  let tail: LogTail;
  let signal: (signal: Signal) => void;
  let isFailing: boolean;
  let warnings: string[];
  let reads: number;

  const grow = (count: number) => {
    for (let more = 0; more < count; more += 1) entries.push(logged(entries.length + 1));
  };
  const toIds = (received: readonly (readonly LogEntry[])[]) => received.flat().map(({ id }) => id);

  beforeEach(async () => {
    clock = new VirtualClock();
    [entries, isFailing, warnings, reads] = [[], false, [], 0];
    grow(2);
    const eventLog = {
      getState: async () => ({ lastId: entries.length }),
      after: async (after: number, limit: number) => {
        reads += 1;
        if (isFailing) throw new Error('away');
        return entries.filter(({ id }) => id > after).slice(0, limit);
      },
    };
    const store = {
      reads: { eventLog },
      listen: (listener: (signal: Signal) => void) => {
        signal = listener;
        return () => {};
      },
    };
    tail = await LogTail.start({
      store: store as unknown as Parameters<typeof LogTail.start>[0]['store'],
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
    tail.subscribe(received => one.push([...received]));
    tail.subscribe(received => other.push([...received]));
    grow(3);
    signal('log');
    await clock.advance(50);
    expect(toIds(one)).toEqual([3, 4, 5]);
    expect(other).toEqual(one);
    expect(tail.position).toBe(5);
  });

  test('is read within a second when the signal was lost', async () => {
    const received: LogEntry[][] = [];
    tail.subscribe(each => received.push([...each]));
    grow(1);
    await clock.advance(500);
    expect(received).toEqual([]);
    await clock.advance(501);
    expect(toIds(received)).toEqual([3]);
  });

  test('is not read for signals of other things', async () => {
    signal('due');
    signal('outbox');
    await clock.advance(500);
    expect(reads).toBe(0);
  });

  test('is read in parts when much has come at once, none of it twice', async () => {
    const received: LogEntry[][] = [];
    tail.subscribe(each => received.push([...each]));
    grow(1300);
    signal('log');
    await clock.advance(50);
    expect(received.map(each => each.length)).toEqual([500, 500, 300]);
    expect(toIds(received)).toEqual(Array.from({ length: 1300 }, (_, index) => index + 3));
  });

  test('resumes at its position after an outage of the store, and logs it once', async () => {
    const received: LogEntry[][] = [];
    tail.subscribe(each => received.push([...each]));
    isFailing = true;
    grow(2);
    signal('log');
    await clock.advance(5000);
    expect([received, warnings]).toEqual([[], ['away']]);
    isFailing = false;
    await clock.advance(1001);
    expect(toIds(received)).toEqual([3, 4]);
  });

  test('gives nothing more to one who has ended that', async () => {
    const received: LogEntry[][] = [];
    tail.subscribe(each => received.push([...each]))();
    grow(1);
    signal('log');
    await clock.advance(50);
    expect(received).toEqual([]);
    expect(tail.position).toBe(3);
  });
});

test('accounts to which something has happened are told, and nothing else', () => {
  const names: string[] = [];
  onAccountChanges(name => names.push(name))([
    logged(1, { type: 'account.password_changed', subject: 'a' }),
    logged(2, { type: 'network.created', subject: 'b' }),
    logged(3, { type: 'account.removed', subject: 'c' }),
    logged(4, { type: 'account.changed', subject: '' }),
    logged(5, { type: 'account.login_failed', subject: 'a' }),
    logged(6, { type: 'account.changed', subject: 'd' }),
  ]);
  expect(names).toEqual(['a', 'c', 'd']);
});

test.each([
  ['a sign-out', { type: 'account.signed_out', dataJson: '{"sessions":["s"]}' }, 1],
  ['a sign-in', { type: 'account.signed_in', dataJson: '{"session":"s"}' }, 0],
  ['what is no list of sessions', { type: 'account.signed_out', dataJson: '{"sessions":"s"}' }, 0],
  ['something else', {}, 0],
] as const)('that sessions have ended is told once for all that is new: %s', (_what, entry, times) => {
  let calls = 0;
  onSessionEnds(() => {
    calls += 1;
  })([logged(1, entry), logged(2), logged(3, entry)]);
  expect(calls).toBe(times);
});
