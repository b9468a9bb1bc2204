import { describe, expect, test } from 'vitest';
import type { HostProgress } from '#client/host-progress.ts';
import { byAttempt, hostsOverTime, spansOf } from './phase-spans.ts';

const begun = (phase: HostProgress['phases'][number]['phase'], atMs: number, attempt = 1) => ({
  ...{ phase, atMs, attempt },
});

const host = (
  address: string,
  state: HostProgress['state'],
  inFlightSinceMs?: number,
  sinceMs?: number,
): HostProgress => ({
  ...{ address, state, inFlightSinceMs, sinceMs, attempt: 1, position: 0, problem: '', toldBy: 0 },
  ...{ isAlreadyThere: false, phases: [begun('staging', 0), begun('armed', inFlightSinceMs ?? 0)] },
});

describe('spansOf', () => {
  test('each phase lasts until the next, the last until now', () => {
    const spans = spansOf([begun('staging', 10), begun('rebooting', 15)], 40);
    expect(spans.map(({ phase, fromMs, toMs, isOpen }) => [phase, fromMs, toMs, isOpen])).toEqual([
      ['staging', 10, 15, false],
      ['rebooting', 15, 40, true],
    ]);
  });

  test('an end is no phase that lasts, nor is the wait for another attempt', () => {
    const phases = [
      begun('staging', 1),
      begun('failed', 4),
      begun('pending', 9, 2),
      begun('staging', 12, 2),
      begun('done', 13, 2),
    ];
    const spans = spansOf(phases, 99);
    expect(spans.map(({ attempt, fromMs, toMs }) => [attempt, fromMs, toMs])).toEqual([
      [1, 1, 4],
      [2, 12, 13],
    ]);
    expect(byAttempt(spans).map(([attempt]) => attempt)).toEqual([2, 1]);
  });

  test('a clock that is behind makes no phase shorter than nothing', () => {
    expect(spansOf([begun('staging', 10)], 5)[0]).toMatchObject({ fromMs: 10, toMs: 10 });
  });
});

describe('hostsOverTime', () => {
  const hosts = [
    host('waits', 'pending'),
    host('old', 'done', 1, 5),
    host('late', 'rebooting', 20),
    host('new', 'failed', 2, 9),
    host('early', 'verifying', 10),
  ];
  test.each<[most: number, names: readonly string[]]>([
    [9, ['early', 'late', 'new', 'old']],
    [3, ['early', 'late', 'new']],
    [1, ['early']],
  ])('at most %i', (most, names) => {
    expect(hostsOverTime(hosts, most).map(({ address }) => address)).toEqual(names);
  });
});
