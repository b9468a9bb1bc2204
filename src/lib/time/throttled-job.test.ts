import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { ThrottledJob } from './throttled-job.ts';

describe('ThrottledJob', () => {
  let clock: VirtualClock;
  let times: number[];
  let job: ThrottledJob;
  beforeEach(() => {
    clock = new VirtualClock();
    times = [];
    job = open(async () => {
      times.push(clock.monotonicMs());
      return Number.POSITIVE_INFINITY;
    });
  });

  const open = (run: () => Promise<number>, onError = (_: unknown) => {}) =>
    new ThrottledJob({ clock, minIntervalMs: 50, run, onError, retryMs: 300 });

  test('runs once at the earliest scheduled time', async () => {
    job.scheduleIn(500);
    job.scheduleIn(200);
    job.scheduleIn(900);
    await clock.advance(2000);
    expect(times).toEqual([200]);
  });

  test('runs at most once per interval', async () => {
    for (let count = 0; count < 100; count += 1) {
      job.scheduleIn(0);
      await clock.advance(5);
    }
    await clock.advance(100);
    expect(times.length).toBeLessThanOrEqual(12);
    expect(times.length).toBeGreaterThan(8);
  });

  test('ignores an infinite delay', async () => {
    job.scheduleIn(Number.POSITIVE_INFINITY);
    expect(clock.pending).toBe(0);
  });

  test('runs again only after the current run has ended', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    let started = 0;
    const slow = open(() => {
      started += 1;
      return promise;
    });
    slow.scheduleIn(0);
    await clock.advance(10);
    slow.scheduleIn(0);
    await clock.advance(500);
    expect(started).toBe(1);
    resolve(Number.POSITIVE_INFINITY);
    await clock.advance(100);
    expect(started).toBe(2);
  });

  test('runs again after the returned time, and after the retry time if a run fails', async () => {
    const errors: unknown[] = [];
    const polling = open(
      async () => {
        times.push(clock.monotonicMs());
        if (times.length === 2) throw new Error('lost');
        return 100;
      },
      error => errors.push(error),
    );
    polling.scheduleIn(0);
    await clock.advance(550);
    expect(times).toEqual([0, 100, 400, 500]);
    expect(errors).toEqual([new Error('lost')]);
    await polling.stop();
  });

  test('does not run after a stop', async () => {
    job.scheduleIn(100);
    await job.stop();
    job.scheduleIn(0);
    await clock.advance(1000);
    expect(times).toEqual([]);
  });
});
