import { expect, test } from 'vitest';
import { computeLags } from './render-latency.ts';

const saved = [
  { host: '127.0.0.1', state: 'preflight', atMs: 100 },
  { host: '127.0.0.2', state: 'preflight', atMs: 110 },
  { host: '127.0.0.1', state: 'armed', atMs: 120 },
  { host: '127.0.0.1', state: 'done', atMs: 200 },
];

test('computeLags counts a later state for the states before it, and returns infinity for states that were never rendered', () => {
  const rendered = [
    { label: '127.0.0.1, waiting, attempt 1', atMs: 90 },
    { label: '127.0.0.1, waiting to reboot, attempt 1', atMs: 150 },
    { label: '127.0.0.1, done (no changes), attempt 1', atMs: 260 },
    { label: '127.0.0.2, waiting, attempt 1', atMs: 90 },
  ];
  expect(computeLags(saved, rendered)).toEqual([50, 30, 60, Number.POSITIVE_INFINITY]);
});
