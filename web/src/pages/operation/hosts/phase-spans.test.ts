import { describe, expect, test } from 'vitest';
import type { HostProgress } from '#sdk/host-progress.ts';
import { groupByAttempt, timelineHosts, toPhaseSpans } from './phase-spans.ts';

const phaseStart = (phase: HostProgress['phases'][number]['phase'], atMs: number, attempt = 1) => ({
  ...{ phase, atMs, attempt },
});

const host = (
  address: string,
  state: HostProgress['state'],
  inFlightSinceMs?: number,
  sinceMs?: number,
): HostProgress => ({
  ...{ address, hostname: '', state, inFlightSinceMs, sinceMs, attempt: 1, position: 0, problem: '', lastEventId: 0 },
  ...{ isUnchanged: false, phases: [phaseStart('staging', 0), phaseStart('armed', inFlightSinceMs ?? 0)] },
});

describe('toPhaseSpans', () => {
  test('ends each phase at the next one, and the last phase now', () => {
    const spans = toPhaseSpans([phaseStart('staging', 10), phaseStart('rebooting', 15)], 40);
    expect(spans.map(({ phase, fromMs, toMs, isOpen }) => [phase, fromMs, toMs, isOpen])).toEqual([
      ['staging', 10, 15, false],
      ['rebooting', 15, 40, true],
    ]);
  });

  test('skips end states and the wait for another attempt', () => {
    const phases = [
      phaseStart('staging', 1),
      phaseStart('failed', 4),
      phaseStart('pending', 9, 2),
      phaseStart('staging', 12, 2),
      phaseStart('done', 13, 2),
    ];
    const spans = toPhaseSpans(phases, 99);
    expect(spans.map(({ attempt, fromMs, toMs }) => [attempt, fromMs, toMs])).toEqual([
      [1, 1, 4],
      [2, 12, 13],
    ]);
    expect(groupByAttempt(spans).map(([attempt]) => attempt)).toEqual([2, 1]);
  });

  test('returns no negative span when the browser clock lags', () => {
    expect(toPhaseSpans([phaseStart('staging', 10)], 5)[0]).toMatchObject({ fromMs: 10, toMs: 10 });
  });
});

describe('timelineHosts', () => {
  const hosts = [
    host('pending', 'pending'),
    host('old', 'done', 1, 5),
    host('late', 'rebooting', 20),
    host('new', 'failed', 2, 9),
    host('early', 'verifying', 10),
  ];
  test.each<[limit: number, names: readonly string[]]>([
    [9, ['early', 'late', 'new', 'old']],
    [3, ['early', 'late', 'new']],
    [1, ['early']],
  ])('returns at most %i hosts', (limit, names) => {
    expect(timelineHosts(hosts, limit).map(({ address }) => address)).toEqual(names);
  });
});
