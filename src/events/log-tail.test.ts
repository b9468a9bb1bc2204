import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { logEntry } from '../../test/harness/events/outbox-entries.ts';
import { VirtualClock } from '../../test/harness/simulation/virtual-clock.ts';
import type { LogEntry } from '../domain/events/event-log.ts';
import type { Signal } from '../domain/events/signal.ts';
import { LogTail, onAccountChanges, onSessionEnds } from './log-tail.ts';

describe('LogTail', () => {
  let clock: VirtualClock;
  let entries: LogEntry[];
  let tail: LogTail;
  let signal: (signal: Signal) => void;
  let isFailing: boolean;
  let warnings: string[];
  let reads: number;

  const grow = (count: number) => {
    for (let more = 0; more < count; more += 1) entries.push(logEntry(entries.length + 1));
  };
  const toIds = (received: readonly (readonly LogEntry[])[]) => received.flat().map(({ id }) => id);

  beforeEach(async () => {
    clock = new VirtualClock();
    [entries, isFailing, warnings, reads] = [[], false, [], 0];
    grow(2);
    const eventLog = {
      getState: async () => ({ lastId: entries.length }),
      readAfter: async (after: number, limit: number) => {
        reads += 1;
        if (isFailing) throw new Error('store unavailable');
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
      log: { warn: () => warnings.push('store unavailable') },
    });
  });
  afterEach(() => tail.stop());

  test('starts at the end of the log', () => {
    expect(tail.position).toBe(2);
  });

  test('reads soon after a signal and passes entries in order to every subscriber', async () => {
    const [first, second]: [LogEntry[][], LogEntry[][]] = [[], []];
    tail.subscribe(received => first.push([...received]));
    tail.subscribe(received => second.push([...received]));
    grow(3);
    signal('log');
    await clock.advance(50);
    expect(toIds(first)).toEqual([3, 4, 5]);
    expect(second).toEqual(first);
    expect(tail.position).toBe(5);
  });

  test('reads within a second when a signal was lost', async () => {
    const received: LogEntry[][] = [];
    tail.subscribe(each => received.push([...each]));
    grow(1);
    await clock.advance(500);
    expect(received).toEqual([]);
    await clock.advance(501);
    expect(toIds(received)).toEqual([3]);
  });

  test('ignores other signals', async () => {
    signal('due');
    signal('outbox');
    await clock.advance(500);
    expect(reads).toBe(0);
  });

  test('reads many entries in pages, each entry once', async () => {
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
    expect([received, warnings]).toEqual([[], ['store unavailable']]);
    isFailing = false;
    await clock.advance(1001);
    expect(toIds(received)).toEqual([3, 4]);
  });

  test('passes nothing to a subscriber that has unsubscribed', async () => {
    const received: LogEntry[][] = [];
    tail.subscribe(each => received.push([...each]))();
    grow(1);
    signal('log');
    await clock.advance(50);
    expect(received).toEqual([]);
    expect(tail.position).toBe(3);
  });
});

test('onAccountChanges reports only accounts whose logins became invalid', () => {
  const names: string[] = [];
  onAccountChanges(name => names.push(name))([
    logEntry(1, { type: 'account.password_changed', subject: 'a' }),
    logEntry(2, { type: 'network.created', subject: 'b' }),
    logEntry(3, { type: 'account.removed', subject: 'c' }),
    logEntry(4, { type: 'account.changed', subject: '' }),
    logEntry(5, { type: 'account.login_failed', subject: 'a' }),
    logEntry(6, { type: 'account.changed', subject: 'd' }),
  ]);
  expect(names).toEqual(['a', 'c', 'd']);
});

test.each([
  ['a sign-out', { type: 'account.signed_out', dataJson: '{"sessions":["s"]}' }, 1],
  ['a sign-in', { type: 'account.signed_in', dataJson: '{"session":"s"}' }, 0],
  ['an invalid list of sessions', { type: 'account.signed_out', dataJson: '{"sessions":"s"}' }, 0],
  ['another event', {}, 0],
] as const)('onSessionEnds reports ended sessions once per batch: %s', (_case, entry, times) => {
  let calls = 0;
  onSessionEnds(() => {
    calls += 1;
  })([logEntry(1, entry), logEntry(2), logEntry(3, entry)]);
  expect(calls).toBe(times);
});
