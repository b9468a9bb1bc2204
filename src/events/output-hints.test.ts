import { beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../domain/addresses/address.ts';
import type { OutputNotification, Signal } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';
import { VirtualClock } from '../lib/time/virtual-clock.ts';
import { Signals } from '../store/signals.ts';
import { OutputHints } from './output-hints.ts';

const OUTPUT = { operation: 'op', cluster: toRecordName('web'), host: '127.0.0.1' as Address };
const HINT = 'output web op 127.0.0.1';

describe('hints of output', () => {
  let clock: VirtualClock;
  let signals: Signals;
  let announced: Signal[];
  beforeEach(() => {
    clock = new VirtualClock();
    [signals, announced] = [new Signals(), []];
  });

  /** A server on the store of this test. */
  const open = (isShared: boolean) =>
    new OutputHints({
      clock,
      store: {
        isShared,
        listen: listener => signals.listen(listener),
        announce: told => {
          announced.push(...told);
          signals.emit(told);
        },
      },
    });
  /** What somebody is given, list by list. */
  function follow(hints: OutputHints) {
    const given: (readonly OutputNotification[])[] = [];
    return { given, leave: hints.follow(list => given.push(list)) };
  }
  const GIVEN = { operation: 'op', cluster: 'web', hosts: ['127.0.0.1'] };

  test.each([
    ['a store of its own', false],
    ['one that is shared', true],
  ])('cost nothing where nobody reads them, on %s', async (_what, isShared) => {
    const hints = open(isShared);
    hints.saved(OUTPUT);
    expect(clock.pending).toBe(0);
    await clock.advance(60_000);
    expect(announced).toEqual([]);
  });

  test('are given to all who read them on a store of its own, of which nobody else is told', async () => {
    const hints = open(false);
    const [one, other] = [follow(hints), follow(hints)];
    hints.saved(OUTPUT);
    await clock.advance(60_000);
    expect(announced).toEqual([HINT]);
    expect([one.given, other.given]).toEqual([[[GIVEN]], [[GIVEN]]]);
    expect(one.given[0]).toBe(other.given[0]);
    one.leave();
    other.leave();
    hints.saved(OUTPUT);
    expect(clock.pending).toBe(0);
  });

  test('are given on one server when another saves the output', async () => {
    const [saving, reading] = [open(true), open(true)];
    const reader = follow(reading);
    for (let second = 0; second < 60; second += 1) {
      saving.saved(OUTPUT);
      await clock.advance(1000);
    }
    expect(reader.given).toHaveLength(60);
  });

  test('are given also of a server that starts after somebody began to read', async () => {
    const reader = follow(open(true));
    const saving = open(true);
    saving.saved(OUTPUT);
    await clock.advance(5000);
    expect(reader.given).toEqual([]);
    saving.saved(OUTPUT);
    await clock.advance(1000);
    expect(reader.given).toEqual([[GIVEN]]);
  });

  test('are not sent any more when nobody has asked for them for a while', async () => {
    const [saving, reading] = [open(true), open(true)];
    follow(reading).leave();
    expect(announced.splice(0)).toEqual(['output_subscribed']);
    await clock.advance(14_999);
    saving.saved(OUTPUT);
    await clock.advance(1000);
    expect(announced.splice(0)).toEqual([HINT]);
    saving.saved(OUTPUT);
    await clock.advance(60_000);
    expect([announced, clock.pending]).toEqual([[], 0]);
  });

  test('of many operations share a list', async () => {
    const hints = open(false);
    const { given } = follow(hints);
    for (let operation = 0; operation < 50; operation += 1)
      hints.saved({ ...OUTPUT, operation: `op-${operation}` });
    await clock.advance(1000);
    expect(given.map(list => list.length)).toEqual([50]);
  });

  test('that make no sense are passed over', async () => {
    const hints = open(true);
    const { given } = follow(hints);
    signals.emit([
      'due',
      'log',
      `reconcile ${toRecordName('web')}`,
      `output ${toRecordName('web')} op 1.2.3`,
    ]);
    await clock.advance(1000);
    expect(given).toEqual([]);
  });

  test('end when the server stops', async () => {
    const hints = open(true);
    const { given } = follow(hints);
    hints.saved(OUTPUT);
    hints.stop();
    hints.saved(OUTPUT);
    signals.emit([`output ${toRecordName('web')} op 127.0.0.1`]);
    await clock.advance(60_000);
    expect([given, clock.pending]).toEqual([[], 0]);
  });
});
