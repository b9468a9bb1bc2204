import { describe, expect, test } from 'vitest';
import { GrowingPause } from './growing-pause.ts';
import { VirtualClock } from './virtual-clock.ts';

/** How long each pause is, in seconds, after turns of so many seconds. */
async function pausesAfter(turnsS: readonly number[]): Promise<number[]> {
  const clock = new VirtualClock();
  const pause = new GrowingPause(clock);
  const pausesS: number[] = [];
  for (const turnS of turnsS) {
    await clock.advance(turnS * 1000);
    const endedAtMs = clock.monotonicMs();
    let isOver = false;
    const waiting = pause.wait(new AbortController().signal).then(() => {
      isOver = true;
      pausesS.push((clock.monotonicMs() - endedAtMs) / 1000);
    });
    for (let left = 100; left > 0 && !isOver; left -= 1) {
      await Promise.resolve();
      if (clock.pending > 0) await clock.advance(1000);
    }
    await waiting;
  }
  return pausesS;
}

describe('a growing pause', () => {
  test.each([
    ['doubles up to a minute', [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 2, 4, 8, 16, 32, 60, 60]],
    ['begins anew after a turn that lasted', [0, 0, 0, 60, 0, 0], [0, 1, 2, 0, 1, 2]],
    ['grows after turns that last too short', [59, 59, 59], [0, 1, 2]],
  ])('%s', async (_what, turnsS, pausesS) => {
    expect(await pausesAfter(turnsS)).toEqual(pausesS);
  });

  test('ends with its signal', async () => {
    const clock = new VirtualClock();
    const pause = new GrowingPause(clock);
    const stopping = new AbortController();
    await pause.wait(stopping.signal);
    const waiting = pause.wait(stopping.signal);
    stopping.abort();
    await waiting;
    expect(clock.pending).toBe(0);
  });
});
