import { describe, expect, test } from 'vitest';
import type { HostProgress } from './host-progress.ts';
import { estimateRemainingMs, unionLengthMs } from './remaining-time.ts';

const S = 1000;

/** In flight from one second to another, or since one, or pending. */
function host(state: HostProgress['state'], from?: number, to?: number): HostProgress {
  const since = to ?? from;
  return {
    ...{
      address: 'a',
      hostname: '',
      state,
      attempt: 1,
      position: 0,
      phases: [],
      problem: '',
      lastEventId: 0,
      isUnchanged: false,
    },
    sinceMs: since === undefined ? undefined : since * S,
    inFlightSinceMs: from === undefined ? undefined : from * S,
  };
}
const pending = (count: number) => Array.from({ length: count }, () => host('pending'));
const sequential = (count: number, durationS: number) =>
  Array.from({ length: count }, (_, index) => host('done', index * durationS, (index + 1) * durationS));
const concurrentPairs = (count: number, durationS: number) =>
  sequential(count, durationS).flatMap(host => [host, host]);

describe('remaining time', () => {
  test.each<[string, readonly HostProgress[], number, number | undefined]>([
    ['none before a host has ended', [host('armed', 0), ...pending(3)], 10, undefined],
    ['none after one host', [host('done', 0, 10), ...pending(3)], 10, undefined],
    ['two sequential hosts', [...sequential(2, 10), ...pending(3)], 20, 30],
    ['two concurrent hosts', [host('done', 0, 10), host('done', 0, 10), ...pending(4)], 10, 20],
    ['the next host is in flight', [...sequential(2, 10), host('armed', 20), ...pending(2)], 26, 24],
    ['the next host is late', [...sequential(2, 10), host('armed', 20), ...pending(2)], 90, 20],
    ['the last host is late', [...sequential(2, 10), host('armed', 20)], 90, 0],
    [
      'all hosts in flight are late',
      [...concurrentPairs(2, 10), host('armed', 20), host('armed', 20), ...pending(4)],
      90,
      20,
    ],
    ['none if no hosts remain', sequential(3, 10), 40, undefined],
    ['failed hosts count', [host('done', 0, 10), host('failed', 10, 20), ...pending(1)], 20, 10],
    ['unchanged hosts do not count', [host('done'), host('done'), ...pending(2)], 20, undefined],
    ['a pause does not count', [host('done', 0, 10), host('done', 3610, 3620), ...pending(2)], 3620, 20],
    ['slow canaries do not count', [host('done', 0, 1000), ...sequentialFrom(1000, 20, 1), ...pending(5)], 1020, 5],
  ])('the estimate in seconds is $3: %s', (_name, hosts, nowS, remainingS) => {
    const ms = estimateRemainingMs(hosts, nowS * S);
    expect(ms === undefined ? undefined : ms / S).toBe(remainingS);
  });

  test.each<[string, [number, number][], number]>([
    ['no spans', [], 0],
    [
      'separate spans',
      [
        [0, 2],
        [3, 5],
      ],
      4,
    ],
    [
      'overlapping spans',
      [
        [0, 4],
        [1, 2],
        [3, 6],
      ],
      6,
    ],
    [
      'spans beyond the limits',
      [
        [-5, 1],
        [9, 20],
      ],
      2,
    ],
  ])('unionLengthMs() returns $2 for %s', (_name, spans, expected) => {
    expect(
      unionLengthMs(
        spans.map(([fromMs, toMs]) => ({ fromMs, toMs })),
        0,
        10,
      ),
    ).toBe(expected);
  });
});

function sequentialFrom(startS: number, count: number, durationS: number) {
  return Array.from({ length: count }, (_, index) =>
    host('done', startS + index * durationS, startS + (index + 1) * durationS),
  );
}
