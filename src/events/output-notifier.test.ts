import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../test/harness/simulation/virtual-clock.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { OutputNotification, Signal } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';
import { SignalBus } from '../store/store.ts';
import { OutputNotifier } from './output-notifier.ts';

const OUTPUT = { operation: 'op', cluster: toRecordName('web'), host: '127.0.0.1' as Address };
const SIGNAL = 'output web op 127.0.0.1';

describe('OutputNotifier', () => {
  let clock: VirtualClock;
  let signals: SignalBus;
  let sentSignals: Signal[];
  beforeEach(() => {
    clock = new VirtualClock();
    [signals, sentSignals] = [new SignalBus(), []];
  });

  /** Creates a server on the shared store of this test. */
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
  /** Records the received lists. */
  function subscribe(notifier: OutputNotifier) {
    const received: (readonly OutputNotification[])[] = [];
    return { received, unsubscribe: notifier.subscribe(list => received.push(list)) };
  }
  const NOTIFICATION = { operation: 'op', cluster: 'web', hosts: ['127.0.0.1'] };

  test('sets no timer and sends nothing without listeners on an embedded store', async () => {
    const notifier = open(false);
    notifier.outputSaved(OUTPUT);
    expect(clock.pending).toBe(0);
    await clock.advance(60_000);
    expect(sentSignals).toEqual([]);
  });

  test('passes notifications to all local listeners', async () => {
    const notifier = open(false);
    const [first, second] = [subscribe(notifier), subscribe(notifier)];
    notifier.outputSaved(OUTPUT);
    await clock.advance(60_000);
    expect(sentSignals).toEqual([SIGNAL]);
    expect([first.received, second.received]).toEqual([[[NOTIFICATION]], [[NOTIFICATION]]]);
    expect(first.received[0]).toBe(second.received[0]);
    first.unsubscribe();
    second.unsubscribe();
    notifier.outputSaved(OUTPUT);
    expect(clock.pending).toBe(0);
  });

  test('delivers output that another server saved', async () => {
    const [savingServer, readingServer] = [open(true), open(true)];
    const reader = subscribe(readingServer);
    for (let second = 0; second < 60; second += 1) {
      savingServer.outputSaved(OUTPUT);
      await clock.advance(1000);
    }
    expect(reader.received).toHaveLength(60);
  });

  test('delivers output of a server that starts after the subscription', async () => {
    const reader = subscribe(open(true));
    open(true).outputSaved(OUTPUT);
    await clock.advance(1000);
    expect(reader.received).toEqual([[NOTIFICATION]]);
  });

  test('passes notifications of many operations in one list', async () => {
    const notifier = open(false);
    const { received } = subscribe(notifier);
    for (let operation = 0; operation < 50; operation += 1)
      notifier.outputSaved({ ...OUTPUT, operation: `op-${operation}` });
    await clock.advance(1000);
    expect(received.map(list => list.length)).toEqual([50]);
  });

  test('ignores other and invalid signals', async () => {
    const notifier = open(true);
    const { received } = subscribe(notifier);
    signals.emit(['due', 'log', `reconcile ${toRecordName('web')}`, `output ${toRecordName('web')} op 1.2.3`]);
    await clock.advance(1000);
    expect(received).toEqual([]);
  });

  test('sends and delivers nothing after a stop', async () => {
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
