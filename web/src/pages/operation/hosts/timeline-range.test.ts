import { describe, expect, test } from 'vitest';
import type { HostProgress } from '#sdk/host-progress.ts';
import { timelineRange } from './phase-spans.ts';

const host = (state: HostProgress['state'], startedMs: number, sinceMs: number) => ({
  ...{ state, sinceMs },
  phases: [{ phase: 'staging' as const, attempt: 1, atMs: startedMs }],
});

describe('from when until when a picture over time is drawn', () => {
  test.each<[title: string, hosts: Parameters<typeof timelineRange>[0], ReturnType<typeof timelineRange>]>([
    [
      'one goes on: until now',
      [host('done', 10, 20), host('rebooting', 15, 30)],
      { fromMs: 10, toMs: 50, isOngoing: true },
    ],
    [
      'all have ended: until the last has',
      [host('done', 10, 20), host('failed', 5, 30)],
      { fromMs: 5, toMs: 30, isOngoing: false },
    ],
    [
      'the clock here is behind: until what is known',
      [host('rebooting', 15, 70)],
      { fromMs: 15, toMs: 70, isOngoing: true },
    ],
    [
      'nothing has begun',
      [{ state: 'pending', sinceMs: undefined, phases: [] }],
      { fromMs: 50, toMs: 50, isOngoing: true },
    ],
  ])('%s', (_title, hosts, times) => {
    expect(timelineRange(hosts, 50)).toEqual(times);
  });
});
