import { beforeEach, describe, expect, test } from 'vitest';
import { Pacer } from './pacer.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('a pacer', () => {
  let clock: VirtualClock;
  let times: number[];
  let pacer: Pacer;
  beforeEach(() => {
    clock = new VirtualClock();
    times = [];
    pacer = new Pacer(clock, 50, async () => {
      times.push(clock.monotonicMs());
    });
  });

  test('does it at the earliest time that was asked for, once', async () => {
    pacer.doIn(500);
    pacer.doIn(200);
    pacer.doIn(900);
    await clock.advance(2000);
    expect(times).toEqual([200]);
  });

  test('does it at most once in a pace, however often it is asked', async () => {
    for (let count = 0; count < 100; count += 1) {
      pacer.doIn(0);
      await clock.advance(5);
    }
    await clock.advance(100);
    expect(times.length).toBeLessThanOrEqual(12);
    expect(times.length).toBeGreaterThan(8);
  });

  test('never does it in an infinite time', async () => {
    pacer.doIn(Number.POSITIVE_INFINITY);
    expect(clock.pending).toBe(0);
  });

  test('does not begin again while it is at it, but afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    const slow = new Pacer(clock, 50, () => {
      begun += 1;
      return promise;
    });
    slow.doIn(0);
    await clock.advance(10);
    slow.doIn(0);
    await clock.advance(500);
    expect(begun).toBe(1);
    resolve();
    await clock.advance(100);
    expect(begun).toBe(2);
  });

  test('that is stopped does nothing more', async () => {
    pacer.doIn(100);
    await pacer.stop();
    pacer.doIn(0);
    await clock.advance(1000);
    expect(times).toEqual([]);
  });
});
