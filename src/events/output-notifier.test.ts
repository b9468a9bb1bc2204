import { beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../domain/addresses/address.ts';
import type { OutputNotification, Signal } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';
import { VirtualClock } from '../lib/time/virtual-clock.ts';
import { SignalBus } from '../store/store.ts';
import { OutputNotifier } from './output-notifier.ts';

const OUTPUT = { operation: 'op', cluster: toRecordName('web'), host: '127.0.0.1' as Address };
const SIGNAL = 'output web op 127.0.0.1';

describe('hints of output', () => {
  let clock: VirtualClock;
  let signals: SignalBus;
  let sentSignals: Signal[];
  beforeEach(() => {
    clock = new VirtualClock();
    [signals, sentSignals] = [new SignalBus(), []];
  });

  /** A server on the store of this test. */
  const open = (isShared: boolean) =>
    new OutputNotifier({
      clock,
      store: {
        isShared,
        listen: listener => signals.listen(listener),
        notify: outgoing => {
          sentSignals.push(...outgoing);
          signals.emit(outgoing);
        },
      },
    });
  /** What somebody is given, list by list. */
  function subscribe(notifier: OutputNotifier) {
    const received: (readonly OutputNotification[])[] = [];
    return { received, unsubscribe: notifier.subscribe(list => received.push(list)) };
  }
  const NOTIFICATION = { operation: 'op', cluster: 'web', hosts: ['127.0.0.1'] };

  test.each([
    ['a store of its own', false],
    ['one that is shared', true],
  ])('cost nothing where nobody reads them, on %s', async (_what, isShared) => {
    const notifier = open(isShared);
    notifier.outputSaved(OUTPUT);
    expect(clock.pending).toBe(0);
    await clock.advance(60_000);
    expect(sentSignals).toEqual([]);
  });

  test('are given to all who read them on a store of its own, of which nobody else is told', async () => {
    const notifier = open(false);
    const [one, other] = [subscribe(notifier), subscribe(notifier)];
    notifier.outputSaved(OUTPUT);
    await clock.advance(60_000);
    expect(sentSignals).toEqual([SIGNAL]);
    expect([one.received, other.received]).toEqual([[[NOTIFICATION]], [[NOTIFICATION]]]);
    expect(one.received[0]).toBe(other.received[0]);
    one.unsubscribe();
    other.unsubscribe();
    notifier.outputSaved(OUTPUT);
    expect(clock.pending).toBe(0);
  });

  test('are given on one server when another saves the output', async () => {
    const [savingServer, readingServer] = [open(true), open(true)];
    const reader = subscribe(readingServer);
    for (let second = 0; second < 60; second += 1) {
      savingServer.outputSaved(OUTPUT);
      await clock.advance(1000);
    }
    expect(reader.received).toHaveLength(60);
  });

  test('are given also of a server that starts after somebody began to read', async () => {
    const reader = subscribe(open(true));
    const savingServer = open(true);
    savingServer.outputSaved(OUTPUT);
    await clock.advance(5000);
    expect(reader.received).toEqual([]);
    savingServer.outputSaved(OUTPUT);
    await clock.advance(1000);
    expect(reader.received).toEqual([[NOTIFICATION]]);
  });

  test('are not sent any more when nobody has asked for them for a while', async () => {
    const [savingServer, readingServer] = [open(true), open(true)];
    subscribe(readingServer).unsubscribe();
    expect(sentSignals.splice(0)).toEqual(['output_subscribed']);
    await clock.advance(14_999);
    savingServer.outputSaved(OUTPUT);
    await clock.advance(1000);
    expect(sentSignals.splice(0)).toEqual([SIGNAL]);
    savingServer.outputSaved(OUTPUT);
    await clock.advance(60_000);
    expect([sentSignals, clock.pending]).toEqual([[], 0]);
  });

  test('of many operations share a list', async () => {
    const notifier = open(false);
    const { received } = subscribe(notifier);
    for (let operation = 0; operation < 50; operation += 1)
      notifier.outputSaved({ ...OUTPUT, operation: `op-${operation}` });
    await clock.advance(1000);
    expect(received.map(list => list.length)).toEqual([50]);
  });

  test('that make no sense are passed over', async () => {
    const notifier = open(true);
    const { received } = subscribe(notifier);
    signals.emit([
      'due',
      'log',
      `reconcile ${toRecordName('web')}`,
      `output ${toRecordName('web')} op 1.2.3`,
    ]);
    await clock.advance(1000);
    expect(received).toEqual([]);
  });

  test('end when the server stops', async () => {
    const notifier = open(true);
    const { received } = subscribe(notifier);
    notifier.outputSaved(OUTPUT);
    notifier.stop();
    notifier.outputSaved(OUTPUT);
    signals.emit([`output ${toRecordName('web')} op 127.0.0.1`]);
    await clock.advance(60_000);
    expect([received, clock.pending]).toEqual([[], 0]);
  });
});
