import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { Backoff } from './backoff.ts';

/** Returns the delays in seconds after runs of the given seconds. */
async function delaysAfter(runsS: readonly number[]): Promise<number[]> {
  const clock = new VirtualClock();
  const backoff = new Backoff(clock);
  const delaysS: number[] = [];
  for (const runS of runsS) {
    await clock.advance(runS * 1000);
    const endedAtMs = clock.monotonicMs();
    let isDone = false;
    const waiting = backoff.wait(new AbortController().signal).then(() => {
      isDone = true;
      delaysS.push((clock.monotonicMs() - endedAtMs) / 1000);
    });
    for (let left = 100; left > 0 && !isDone; left -= 1) {
      await Promise.resolve();
      if (clock.pending > 0) await clock.advance(1000);
    }
    await waiting;
  }
  return delaysS;
}

describe('Backoff', () => {
  test.each([
    ['doubles up to a minute', [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 2, 4, 8, 16, 32, 60, 60]],
    ['resets after a long run', [0, 0, 0, 60, 0, 0], [0, 1, 2, 0, 1, 2]],
    ['grows after short runs', [59, 59, 59], [0, 1, 2]],
  ])('%s', async (_case, runsS, delaysS) => {
    expect(await delaysAfter(runsS)).toEqual(delaysS);
  });

  test('ends when its signal aborts', async () => {
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
