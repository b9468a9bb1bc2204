import { expect, test } from 'vitest';
import type { Judgement, Verdict } from './growth-verdict.ts';
import { judge } from './growth-verdict.ts';
import { formatDetectableLeak, formatVerdicts } from './report.ts';

const HEAP = 'server 1: heap after a collection';

const judgement = (what: string, verdict: Verdict): Judgement => ({
  ...{ what, unit: 'MiB', first: 50, last: 50, perHour: 0, atLeastPerHour: -1, atMostPerHour: 3 },
  ...{ limitPerHour: 4, verdict },
});
const WORK = {
  ...{ servers: 3, requests: 6144, checks: 61_440, events: 0, operations: 0, operationHosts: 0 },
  ...{ readers: 0, transient_hosts: 0 },
};

test('formatDetectableLeak reports the smallest detectable leak', () => {
  expect(formatDetectableLeak([judgement(HEAP, 'flat')], WORK)).toBe(
    'This run detects heap leaks of at least 1024 bytes per request, or 103 bytes per health check (6144 requests and 61440 health checks per hour, 3 servers).',
  );
});

test('formatDetectableLeak reports that too few readings detect no leak', () => {
  const tooFew = judge({ what: HEAP, unit: 'MiB', limitPerHour: () => 1 }, [{ atMs: 0, value: 1 }], WORK);
  expect(formatDetectableLeak([judgement(HEAP, 'flat'), tooFew], WORK)).toBe(
    'This run is too short to detect a heap leak.',
  );
});

test.each<[readonly Verdict[], string]>([
  [['flat', 'flat'], 'Nothing grows.'],
  [['flat', 'grows'], 'Not flat: b.'],
  [['unknown', 'grows'], 'Not flat: b.\nUnknown; increase --minutes: a.'],
])('formatVerdicts summarizes %s', (verdicts, text) => {
  expect(formatVerdicts(verdicts.map((verdict, index) => judgement('ab'[index] ?? '', verdict)))).toBe(text);
});
