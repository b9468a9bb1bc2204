import { describe, expect, test } from 'vitest';
import type { HostProgress } from '#sdk/host-progress.ts';
import { timelineRange } from './phase-spans.ts';

const host = (state: HostProgress['state'], startedMs: number, sinceMs: number) => ({
  ...{ state, sinceMs },
  phases: [{ phase: 'staging' as const, attempt: 1, atMs: startedMs }],
});

describe('timelineRange', () => {
  test.each<[title: string, hosts: Parameters<typeof timelineRange>[0], ReturnType<typeof timelineRange>]>([
    [
      'ends now while a host is in progress',
      [host('done', 10, 20), host('rebooting', 15, 30)],
      { fromMs: 10, toMs: 50, isOngoing: true },
    ],
    [
      'ends with the last host when all hosts have ended',
      [host('done', 10, 20), host('failed', 5, 30)],
      { fromMs: 5, toMs: 30, isOngoing: false },
    ],
    [
      'ends with the last change when the browser clock lags',
      [host('rebooting', 15, 70)],
      { fromMs: 15, toMs: 70, isOngoing: true },
    ],
    [
      'is empty when no host has started',
      [{ state: 'pending', sinceMs: undefined, phases: [] }],
      { fromMs: 50, toMs: 50, isOngoing: true },
    ],
  ])('%s', (_title, hosts, range) => {
    expect(timelineRange(hosts, 50)).toEqual(range);
  });
});
