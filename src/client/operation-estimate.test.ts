import { describe, expect, test } from 'vitest';
import type { HostProgress } from './host-progress.ts';
import { coveredMs, estimateMs } from './operation-estimate.ts';

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
      toldBy: 0,
      isAlreadyThere: false,
    },
    sinceMs: since === undefined ? undefined : since * S,
    inFlightSinceMs: from === undefined ? undefined : from * S,
  };
}
const waiting = (count: number) => Array.from({ length: count }, () => host('pending'));
const inTurn = (count: number, eachS: number) =>
  Array.from({ length: count }, (_, index) => host('done', index * eachS, (index + 1) * eachS));
const inPairs = (count: number, eachS: number) => inTurn(count, eachS).flatMap(each => [each, each]);

describe('the time that is left', () => {
  test.each<[string, readonly HostProgress[], number, number | undefined]>([
    ['nothing has ended', [host('armed', 0), ...waiting(3)], 10, undefined],
    ['one has ended', [host('done', 0, 10), ...waiting(3)], 10, undefined],
    ['two in turn', [...inTurn(2, 10), ...waiting(3)], 20, 30],
    ['two at once', [host('done', 0, 10), host('done', 0, 10), ...waiting(4)], 10, 20],
    ['the next is under way', [...inTurn(2, 10), host('armed', 20), ...waiting(2)], 26, 24],
    ['the next is late', [...inTurn(2, 10), host('armed', 20), ...waiting(2)], 90, 20],
    ['the last is late', [...inTurn(2, 10), host('armed', 20)], 90, 0],
    [
      'all in flight are late',
      [...inPairs(2, 10), host('armed', 20), host('armed', 20), ...waiting(4)],
      90,
      20,
    ],
    ['nothing is left', inTurn(3, 10), 40, undefined],
    ['a failure took its time too', [host('done', 0, 10), host('failed', 10, 20), ...waiting(1)], 20, 10],
    ['who had nothing to do tells no pace', [host('done'), host('done'), ...waiting(2)], 20, undefined],
    ['a pause of an hour', [host('done', 0, 10), host('done', 3610, 3620), ...waiting(2)], 3620, 20],
    [
      'slow canaries are forgotten',
      [host('done', 0, 1000), ...inTurnFrom(1000, 20, 1), ...waiting(5)],
      1020,
      5,
    ],
  ])('%s', (_what, hosts, nowS, leftS) => {
    const ms = estimateMs(hosts, nowS * S);
    expect(ms === undefined ? undefined : ms / S).toBe(leftS);
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
  ])('covers %s', (_what, spans, expected) => {
    expect(
      coveredMs(
        spans.map(([fromMs, toMs]) => ({ fromMs, toMs })),
        0,
        10,
      ),
    ).toBe(expected);
  });
});

function inTurnFrom(startS: number, count: number, eachS: number) {
  return Array.from({ length: count }, (_, index) =>
    host('done', startS + index * eachS, startS + (index + 1) * eachS),
  );
}
