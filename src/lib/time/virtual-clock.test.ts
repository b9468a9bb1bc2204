import { describe, expect, test } from 'vitest';
import { sleep } from './clock.ts';
import { VirtualClock } from './virtual-clock.ts';

const eventLoopTurns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

describe('a virtual clock', () => {
  test('starts when it is told to and stands still until it is moved', async () => {
    const clock = new VirtualClock({ startMs: 1000 });
    expect([clock.now(), clock.monotonicMs()]).toEqual([1000, 0]);
    await clock.advance(500);
    expect([clock.now(), clock.monotonicMs()]).toEqual([1500, 500]);
  });

  test('wakes by time, those of the same time as they were set, each at its own time', async () => {
    const clock = new VirtualClock();
    const woken: string[] = [];
    for (const [name, ms] of [
      ['c', 30],
      ['a', 10],
      ['b', 10],
      ['late', 31],
    ] as const)
      clock.setTimer(ms, () => woken.push(`${name} at ${clock.monotonicMs()}`));
    await clock.advance(30);
    expect(woken).toEqual(['a at 10', 'b at 10', 'c at 30']);
    expect(clock.pending).toBe(1);
  });

  test('does not wake those who called it off, not even at the same time', async () => {
    const clock = new VirtualClock();
    const woken: string[] = [];
    clock.setTimer(10, () => cancel());
    const cancel = clock.setTimer(10, () => woken.push('called off'));
    await clock.advance(20);
    expect(woken).toEqual([]);
  });

  test('lets each who was woken go on before the next time comes', async () => {
    const clock = new VirtualClock();
    const events: string[] = [];
    const runSteps = async (name: string, stepMs: number) => {
      for (let step = 0; step < 3; step += 1) {
        await sleep(clock, stepMs);
        await eventLoopTurns(2);
        events.push(`${name} ${clock.monotonicMs()}`);
      }
    };
    void runSteps('slow', 20);
    void runSteps('fast', 15);
    await clock.advance(60);
    expect(events).toEqual(['fast 15', 'slow 20', 'fast 30', 'slow 40', 'fast 45', 'slow 60']);
  });

  test('waits for what is under way elsewhere before time moves on', async () => {
    let pendingCalls = 0;
    const clock = new VirtualClock({ isIdle: () => pendingCalls === 0 });
    const ends: number[] = [];
    clock.setTimer(10, async () => {
      pendingCalls += 1;
      await eventLoopTurns(50);
      ends.push(clock.monotonicMs());
      pendingCalls -= 1;
    });
    clock.setTimer(20, () => ends.push(clock.monotonicMs()));
    await clock.advance(100);
    expect(ends).toEqual([10, 20]);
  });

  test('moves only as far as it takes for a condition to hold', async () => {
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

  test('does not move for a condition that holds already', async () => {
    const clock = new VirtualClock();
    clock.setTimer(10, () => undefined);
    await clock.advanceUntil(() => true, 60_000);
    expect(clock.monotonicMs()).toBe(0);
  });

  test('says so when a condition does not come true in time', async () => {
    const clock = new VirtualClock();
    const tick = () => void clock.setTimer(1000, tick);
    tick();
    await expect(clock.advanceUntil(() => false, 5500)).rejects.toThrow(
      'within 5.5 s of virtual time: () => false',
    );
    expect(clock.monotonicMs()).toBe(5500);
  });

  test('says so when nobody is left who could make a condition come true', async () => {
    const clock = new VirtualClock();
    clock.setTimer(2000, () => undefined);
    await expect(clock.advanceUntil(() => false, 60_000)).rejects.toThrow('any more, after 2 s');
  });

  test('is moved by one at a time', async () => {
    const clock = new VirtualClock();
    const first = clock.advance(10);
    await expect(clock.advance(10)).rejects.toThrow('already');
    await first;
    expect(clock.monotonicMs()).toBe(10);
  });

  test('wakes a hundred thousand', async () => {
    const clock = new VirtualClock();
    let woken = 0;
    for (let count = 0; count < 100_000; count += 1) clock.setTimer(count % 977, () => (woken += 1));
    await clock.advance(1000);
    expect(woken).toBe(100_000);
  });
});
