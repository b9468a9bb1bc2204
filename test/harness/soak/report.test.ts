import { expect, test } from 'vitest';
import { reportSight, reportVerdicts } from './report.ts';
import type { Judged, Verdict } from './verdict.ts';
import { judge } from './verdict.ts';

const HEAP = 'server 1: heap after a collection';

const judged = (what: string, verdict: Verdict): Judged => ({
  ...{ what, unit: 'MiB', first: 50, last: 50, perHour: 0, atLeastPerHour: -1, atMostPerHour: 3 },
  ...{ limitPerHour: 4, verdict },
});
const WORK = {
  ...{ servers: 3, requests: 6144, checks: 61_440, events: 0, operations: 0, operationHosts: 0 },
  ...{ readers: 0, guests: 0 },
};

test('a report tells the smallest leak that could be seen', () => {
  expect(reportSight([judged(HEAP, 'flat')], WORK)).toBe(
    'On the heap this run sees a leak from 1024 bytes with each request of callers on, or 103 bytes with each check of a host (6144 and 61440 per hour, at 3 servers).',
  );
});

test('a report of too few readings says that no leak could be seen', () => {
  const few = judge({ what: HEAP, unit: 'MiB', limitPerHour: () => 1 }, [{ atMs: 0, value: 1 }], WORK);
  expect(reportSight([judged(HEAP, 'flat'), few], WORK)).toBe(
    'This run is too short to see any leak on the heap.',
  );
});

test.each<[readonly Verdict[], string]>([
  [['flat', 'flat'], 'Nothing grows.'],
  [['flat', 'grows'], 'Not flat: b.'],
  [['unknown', 'grows'], 'Not flat: b.\nNot known, and more --minutes would tell: a.'],
])('verdicts %s', (verdicts, text) => {
  expect(reportVerdicts(verdicts.map((verdict, index) => judged('ab'[index] ?? '', verdict)))).toBe(text);
});
