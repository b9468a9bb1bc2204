import { beforeEach, describe, expect, test } from 'vitest';
import { ThrottledJob } from './throttled-job.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('ThrottledJob', () => {
  let clock: VirtualClock;
  let times: number[];
  let job: ThrottledJob;
  beforeEach(() => {
    clock = new VirtualClock();
    times = [];
    job = new ThrottledJob(clock, 50, async () => {
      times.push(clock.monotonicMs());
    });
  });

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
    const { promise, resolve } = Promise.withResolvers<void>();
    let started = 0;
    const slow = new ThrottledJob(clock, 50, () => {
      started += 1;
      return promise;
    });
    slow.scheduleIn(0);
    await clock.advance(10);
    slow.scheduleIn(0);
    await clock.advance(500);
    expect(started).toBe(1);
    resolve();
    await clock.advance(100);
    expect(started).toBe(2);
  });

  test('does not run after a stop', async () => {
    job.scheduleIn(100);
    await job.stop();
    job.scheduleIn(0);
    await clock.advance(1000);
    expect(times).toEqual([]);
  });
});
