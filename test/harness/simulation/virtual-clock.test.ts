import { describe, expect, test } from 'vitest';
import { sleep } from '../../../src/lib/time/clock.ts';
import { VirtualClock } from './virtual-clock.ts';

const runLoopIterations = async (count: number) => {
  for (let iteration = 0; iteration < count; iteration += 1) await new Promise(resolve => setImmediate(resolve));
};

describe('VirtualClock', () => {
  test('starts at startMs and moves only on advance', async () => {
    const clock = new VirtualClock({ startMs: 1000 });
    expect([clock.now(), clock.monotonicMs()]).toEqual([1000, 0]);
    await clock.advance(500);
    expect([clock.now(), clock.monotonicMs()]).toEqual([1500, 500]);
  });

  test('fires timers in order, each at its own time', async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    for (const [name, ms] of [
      ['c', 30],
      ['a', 10],
      ['b', 10],
      ['late', 31],
    ] as const)
      clock.setTimer(ms, () => fired.push(`${name} at ${clock.monotonicMs()}`));
    await clock.advance(30);
    expect(fired).toEqual(['a at 10', 'b at 10', 'c at 30']);
    expect(clock.pending).toBe(1);
  });

  test('does not fire a cancelled timer, even if another timer of the same time cancels it', async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    clock.setTimer(10, () => cancel());
    const cancel = clock.setTimer(10, () => fired.push('cancelled'));
    await clock.advance(20);
    expect(fired).toEqual([]);
  });

  test('lets code that a timer resumed run before time moves on', async () => {
    const clock = new VirtualClock();
    const events: string[] = [];
    const runSteps = async (name: string, stepMs: number) => {
      for (let step = 0; step < 3; step += 1) {
        await sleep(clock, stepMs);
        await runLoopIterations(2);
        events.push(`${name} ${clock.monotonicMs()}`);
      }
    };
    void runSteps('slow', 20);
    void runSteps('fast', 15);
    await clock.advance(60);
    expect(events).toEqual(['fast 15', 'slow 20', 'fast 30', 'slow 40', 'fast 45', 'slow 60']);
  });

  test('waits until isIdle returns true before time moves on', async () => {
    let pendingCalls = 0;
    const clock = new VirtualClock({ isIdle: () => pendingCalls === 0 });
    const ends: number[] = [];
    clock.setTimer(10, async () => {
      pendingCalls += 1;
      await runLoopIterations(50);
      ends.push(clock.monotonicMs());
      pendingCalls -= 1;
    });
    clock.setTimer(20, () => ends.push(clock.monotonicMs()));
    await clock.advance(100);
    expect(ends).toEqual([10, 20]);
  });

  test('advances only until the condition is true', async () => {
    const clock = new VirtualClock();
    let count = 0;
    const tick = () => {
      count += 1;
      clock.setTimer(1000, tick);
    };
    tick();
    await clock.advanceUntil(async () => count === 5, 60_000);
    expect(clock.monotonicMs()).toBe(4000);
  });

  test('does not advance if the condition is already true', async () => {
    const clock = new VirtualClock();
    clock.setTimer(10, () => undefined);
    await clock.advanceUntil(() => true, 60_000);
    expect(clock.monotonicMs()).toBe(0);
  });

  test('throws if the condition does not become true in time', async () => {
    const clock = new VirtualClock();
    const tick = () => void clock.setTimer(1000, tick);
    tick();
    await expect(clock.advanceUntil(() => false, 5500)).rejects.toThrow('within 5.5 s of virtual time: () => false');
    expect(clock.monotonicMs()).toBe(5500);
  });

  test('throws if no timer is left that could make the condition true', async () => {
    const clock = new VirtualClock();
    clock.setTimer(2000, () => undefined);
    await expect(clock.advanceUntil(() => false, 60_000)).rejects.toThrow('no timer is pending after 2 s');
  });

  test('rejects a second advance while one is running', async () => {
    const clock = new VirtualClock();
    const first = clock.advance(10);
    await expect(clock.advance(10)).rejects.toThrow('already');
    await first;
    expect(clock.monotonicMs()).toBe(10);
  });

  test('fires a hundred thousand timers', async () => {
    const clock = new VirtualClock();
    let fired = 0;
    for (let count = 0; count < 100_000; count += 1) clock.setTimer(count % 977, () => (fired += 1));
    await clock.advance(1000);
    expect(fired).toBe(100_000);
  });
});
