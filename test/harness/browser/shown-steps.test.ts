import { expect, it } from 'vitest';
import { lagsOf } from './shown-steps.ts';

const saved = [
  { host: '127.0.0.1', state: 'preflight', atMs: 100 },
  { host: '127.0.0.2', state: 'preflight', atMs: 110 },
  { host: '127.0.0.1', state: 'armed', atMs: 120 },
  { host: '127.0.0.1', state: 'done', atMs: 200 },
];

it('a later state stands for those before it, and what is never shown is infinitely late', () => {
  const shown = [
    { label: '127.0.0.1, waiting, attempt 1', atMs: 90 },
    { label: '127.0.0.1, waiting to reboot, attempt 1', atMs: 150 },
    { label: '127.0.0.1, done (no changes), attempt 1', atMs: 260 },
    { label: '127.0.0.2, waiting, attempt 1', atMs: 90 },
  ];
  expect(lagsOf(saved, shown)).toEqual([50, 30, 60, Number.POSITIVE_INFINITY]);
});
