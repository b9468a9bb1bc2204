import { describe, expect, test } from 'vitest';
import type { HostProgress } from './host-progress.ts';
import { estimateRemainingMs, unionLengthMs } from './remaining-time.ts';

const S = 1000;

/** In flight from one second to another, or since one, or waiting. */
function host(state: HostProgress['state'], from?: number, to?: number): HostProgress {
  const since = to ?? from;
  return {
    ...{
      address: 'a',
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

describe('the time that is left', () => {
  test.each<[string, readonly HostProgress[], number, number | undefined]>([
    ['nothing has ended', [host('armed', 0), ...pending(3)], 10, undefined],
    ['one has ended', [host('done', 0, 10), ...pending(3)], 10, undefined],
    ['two in turn', [...sequential(2, 10), ...pending(3)], 20, 30],
    ['two at once', [host('done', 0, 10), host('done', 0, 10), ...pending(4)], 10, 20],
    ['the next is under way', [...sequential(2, 10), host('armed', 20), ...pending(2)], 26, 24],
    ['the next is late', [...sequential(2, 10), host('armed', 20), ...pending(2)], 90, 20],
    ['the last is late', [...sequential(2, 10), host('armed', 20)], 90, 0],
    [
      'all in flight are late',
      [...concurrentPairs(2, 10), host('armed', 20), host('armed', 20), ...pending(4)],
      90,
      20,
    ],
    ['nothing is left', sequential(3, 10), 40, undefined],
    ['a failure took its time too', [host('done', 0, 10), host('failed', 10, 20), ...pending(1)], 20, 10],
    ['who had nothing to do tells no pace', [host('done'), host('done'), ...pending(2)], 20, undefined],
    ['a pause of an hour', [host('done', 0, 10), host('done', 3610, 3620), ...pending(2)], 3620, 20],
    [
      'slow canaries are forgotten',
      [host('done', 0, 1000), ...sequentialFrom(1000, 20, 1), ...pending(5)],
      1020,
      5,
    ],
  ])('%s', (_name, hosts, nowS, remainingS) => {
    const ms = estimateRemainingMs(hosts, nowS * S);
    expect(ms === undefined ? undefined : ms / S).toBe(remainingS);
  });

  test.each<[string, [number, number][], number]>([
    ['nothing', [], 0],
    [
      'one after the other',
      [
        [0, 2],
        [3, 5],
      ],
      4,
    ],
    [
      'one over the other',
      [
        [0, 4],
        [1, 2],
        [3, 6],
      ],
      6,
    ],
    [
      'beyond the edges',
      [
        [-5, 1],
        [9, 20],
      ],
      2,
    ],
  ])('covers %s', (_name, spans, expected) => {
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
