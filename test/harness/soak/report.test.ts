import { expect, test } from 'vitest';
import { reportSight, reportVerdicts } from './report.ts';
import type { Judged, Verdict } from './verdict.ts';

const judged = (what: string, verdict: Verdict): Judged => ({
  ...{ what, unit: 'MiB', first: 50, last: 50, perHour: 0, atLeastPerHour: -1, atMostPerHour: 3 },
  ...{ limitPerHour: 4, verdict },
});
const WORK = {
  ...{ servers: 3, requests: 6144, checks: 61_440, events: 0, operations: 0, operationHosts: 0 },
  ...{ readers: 0, guests: 0 },
};

test('a report tells the smallest leak that could be seen', () => {
  expect(reportSight([judged('server 1: heap after a collection', 'flat')], WORK)).toBe(
    'On the heap this run sees a leak from 1024 bytes with each request of callers on, or 103 bytes with each check of a host (6144 and 61440 per hour, at 3 servers).',
  );
});

test.each<[readonly Verdict[], string]>([
  [['flat', 'flat'], 'Nothing grows.'],
  [['flat', 'grows'], 'Not flat: b.'],
  [['unknown', 'grows'], 'Not flat: b.\nNot known, and more --minutes would tell: a.'],
])('verdicts %s', (verdicts, text) => {
  expect(reportVerdicts(verdicts.map((verdict, index) => judged('ab'[index] ?? '', verdict)))).toBe(text);
});
