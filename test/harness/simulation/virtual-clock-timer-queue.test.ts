import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TimerQueue } from './virtual-clock.ts';

function drain(queue: TimerQueue): void {
  for (let due = queue.takeDue(Number.POSITIVE_INFINITY); due; due = queue.takeDue(Number.POSITIVE_INFINITY)) due();
}

describe('TimerQueue', () => {
  test('returns timers by time and then by insertion, without cancelled ones', () => {
    const timers = fc.array(fc.record({ atMs: fc.nat(20), isCancelled: fc.boolean() }), { maxLength: 300 });
    fc.assert(
      fc.property(timers, list => {
        const queue = new TimerQueue();
        const called: number[] = [];
        const cancels = list.map(({ atMs }, index) => queue.add(atMs, () => called.push(index)));
        for (const [index, { isCancelled }] of list.entries()) if (isCancelled) cancels[index]?.();
        const remaining = [...list.entries()].filter(([, { isCancelled }]) => !isCancelled);
        expect(queue.size).toBe(remaining.length);
        drain(queue);
        expect(called).toEqual(remaining.sort(([, a], [, b]) => a.atMs - b.atMs).map(([index]) => index));
        expect(queue.size).toBe(0);
      }),
    );
  });

  test('returns no timer that is not due', () => {
    const queue = new TimerQueue();
    queue.add(5, () => undefined);
    expect(queue.takeDue(4)).toBeUndefined();
    expect(queue.takeDue(5)).toBeDefined();
  });

  test('ignores a late or repeated cancellation', () => {
    const queue = new TimerQueue();
    const cancel = queue.add(1, () => undefined);
    queue.takeDue(1);
    cancel();
    const other = queue.add(2, () => undefined);
    other();
    other();
    expect(queue.size).toBe(0);
    expect(queue.nextAtMs).toBeUndefined();
  });
});
