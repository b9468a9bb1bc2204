import { expect, it } from 'vitest';
import { ServerClock } from './server-clock.ts';

const NOW_MS = Date.parse('2026-11-16T12:00:00Z');
const toDateHeader = (offsetMs: number) => new Date(NOW_MS + offsetMs).toUTCString();

it.each<[string, readonly (number | null)[], number]>([
  ['nothing was heard', [], 0],
  ['it is the same', [0], 0],
  ['the answer has taken a while', [-2000], 0],
  ['it is ahead', [60_000], 60_000],
  ['it is behind', [-60_000], -60_000],
  ['it is ahead by about as much', [60_000, 61_000, 58_000], 60_000],
  ['it was set right', [60_000, 0], 0],
  ['an answer says nothing of it', [60_000, null], 60_000],
])('%s: %j', (_title, offsets, offsetMs) => {
  const clock = new ServerClock();
  for (const offset of offsets) clock.update(offset === null ? null : toDateHeader(offset), NOW_MS);
  expect(clock.offsetMs).toBe(offsetMs);
});
