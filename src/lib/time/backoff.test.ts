import { describe, expect, test } from 'vitest';
import { Backoff } from './backoff.ts';
import { VirtualClock } from './virtual-clock.ts';

/** How long each pause is, in seconds, after turns of so many seconds. */
async function delaysAfter(runsS: readonly number[]): Promise<number[]> {
  const clock = new VirtualClock();
  const backoff = new Backoff(clock);
  const delaysS: number[] = [];
  for (const runS of runsS) {
    await clock.advance(runS * 1000);
    const endedAtMs = clock.monotonicMs();
    let isOver = false;
    const waiting = backoff.wait(new AbortController().signal).then(() => {
      isOver = true;
      delaysS.push((clock.monotonicMs() - endedAtMs) / 1000);
    });
    for (let left = 100; left > 0 && !isOver; left -= 1) {
      await Promise.resolve();
      if (clock.pending > 0) await clock.advance(1000);
    }
    await waiting;
  }
  return delaysS;
}

describe('a growing pause', () => {
  test.each([
    ['doubles up to a minute', [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 2, 4, 8, 16, 32, 60, 60]],
    ['begins anew after a turn that lasted', [0, 0, 0, 60, 0, 0], [0, 1, 2, 0, 1, 2]],
    ['grows after turns that last too short', [59, 59, 59], [0, 1, 2]],
  ])('%s', async (_what, runsS, delaysS) => {
    expect(await delaysAfter(runsS)).toEqual(delaysS);
  });

  test('ends with its signal', async () => {
    const clock = new VirtualClock();
    const backoff = new Backoff(clock);
    const stopping = new AbortController();
    await backoff.wait(stopping.signal);
    const waiting = backoff.wait(stopping.signal);
    stopping.abort();
    await waiting;
    expect(clock.pending).toBe(0);
  });
});
