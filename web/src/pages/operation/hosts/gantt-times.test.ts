import { describe, expect, test } from 'vitest';
import type { HostProgress } from '#client/host-progress.ts';
import { ganttTimes } from './gantt-times.ts';

const host = (state: HostProgress['state'], beganMs: number, sinceMs: number) => ({
  ...{ state, sinceMs },
  phases: [{ phase: 'staging' as const, attempt: 1, atMs: beganMs }],
});

describe('from when until when a picture over time is drawn', () => {
  test.each<[what: string, hosts: Parameters<typeof ganttTimes>[0], ReturnType<typeof ganttTimes>]>([
    [
      'one goes on: until now',
      [host('done', 10, 20), host('rebooting', 15, 30)],
      { fromMs: 10, toMs: 50, isGoing: true },
    ],
    [
      'all have ended: until the last has',
      [host('done', 10, 20), host('failed', 5, 30)],
      { fromMs: 5, toMs: 30, isGoing: false },
    ],
    [
      'the clock here is behind: until what is known',
      [host('rebooting', 15, 70)],
      { fromMs: 15, toMs: 70, isGoing: true },
    ],
    [
      'nothing has begun',
      [{ state: 'pending', sinceMs: undefined, phases: [] }],
      { fromMs: 50, toMs: 50, isGoing: true },
    ],
  ])('%s', (_what, hosts, times) => {
    expect(ganttTimes(hosts, 50)).toEqual(times);
  });
});
