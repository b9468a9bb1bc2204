import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TimerQueue } from './timer-queue.ts';

function drain(queue: TimerQueue): void {
  for (let due = queue.take(Number.POSITIVE_INFINITY); due; due = queue.take(Number.POSITIVE_INFINITY)) due();
}

describe('a queue of timers', () => {
  test('gives them by time, those of the same time as they were set, and none that was called off', () => {
    const timers = fc.array(fc.record({ atMs: fc.nat(20), isCalledOff: fc.boolean() }), { maxLength: 300 });
    fc.assert(
      fc.property(timers, list => {
        const queue = new TimerQueue();
        const given: number[] = [];
        const callOffs = list.map(({ atMs }, index) => queue.add(atMs, () => given.push(index)));
        for (const [index, { isCalledOff }] of list.entries()) if (isCalledOff) callOffs[index]?.();
        const left = [...list.entries()].filter(([, { isCalledOff }]) => !isCalledOff);
        expect(queue.size).toBe(left.length);
        drain(queue);
        expect(given).toEqual(left.sort(([, a], [, b]) => a.atMs - b.atMs).map(([index]) => index));
        expect(queue.size).toBe(0);
      }),
    );
  });

  test('does not give what is not due yet', () => {
    const queue = new TimerQueue();
    queue.add(5, () => undefined);
    expect(queue.take(4)).toBeUndefined();
    expect(queue.take(5)).toBeDefined();
  });

  test('takes a call that comes too late or twice for what it is', () => {
    const queue = new TimerQueue();
    const callOff = queue.add(1, () => undefined);
    queue.take(1);
    callOff();
    const other = queue.add(2, () => undefined);
    other();
    other();
    expect(queue.size).toBe(0);
    expect(queue.nextAtMs).toBeUndefined();
  });
});
