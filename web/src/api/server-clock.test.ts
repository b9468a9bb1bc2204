import { expect, test } from 'vitest';
import { ServerClock } from './server-clock.ts';

const NOW_MS = Date.parse('2026-11-16T12:00:00Z');
const toDateHeader = (offsetMs: number) => new Date(NOW_MS + offsetMs).toUTCString();

test.each<[string, readonly (number | null)[], number]>([
  ['no response was received', [], 0],
  ['the clocks agree', [0], 0],
  ['the response was slow', [-2000], 0],
  ['the server is ahead', [60_000], 60_000],
  ['the server is behind', [-60_000], -60_000],
  ['the difference varies by seconds', [60_000, 61_000, 58_000], 60_000],
  ['the server clock was corrected', [60_000, 0], 0],
  ['a response has no Date header', [60_000, null], 60_000],
])('ServerClock has the offset $2 when %s: %j', (_title, offsets, offsetMs) => {
  const clock = new ServerClock();
  for (const offset of offsets) clock.update(offset === null ? null : toDateHeader(offset), NOW_MS);
  expect(clock.offsetMs).toBe(offsetMs);
});
