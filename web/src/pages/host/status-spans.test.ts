import { describe, expect, it } from 'vitest';
import { timeOf } from '#client/times.ts';
import type { HostStatus } from '#vocabulary';
import type { StatusChange } from './status-spans.ts';
import { statusSpans } from './status-spans.ts';

const at = (minute: number) => `2026-11-15T12:${String(minute).padStart(2, '0')}:00.000000`;
const ms = (minute: number) => timeOf(at(minute));
const change = (minute: number, from: HostStatus, to: HostStatus): StatusChange => ({
  at: at(minute),
  data: { from, to },
});

/** Spans as `from–to word`. */
const CASES: readonly (readonly [
  name: string,
  changes: readonly StatusChange[],
  now: HostStatus,
  spans: readonly string[],
])[] = [
  ['nothing has changed', [], 'active', ['10–50 active']],
  ['it changed once', [change(30, 'active', 'failed')], 'failed', ['10–30 active', '30–50 failed']],
  [
    'it changed before the time that is shown',
    [change(30, 'unreachable', 'active'), change(5, 'active', 'unreachable')],
    'active',
    ['10–30 unreachable', '30–50 active'],
  ],
  ['only before it', [change(5, 'unreachable', 'active')], 'active', ['10–50 active']],
  [
    'a change that is not known yet has been told by the host',
    [change(30, 'active', 'unreachable')],
    'active',
    ['10–30 active', '30–50 active'],
  ],
];

describe('statusSpans', () => {
  it.each(CASES)('%s', (_name, changes, now, spans) => {
    const found = statusSpans(changes, { now, sinceMs: ms(10), nowMs: ms(50) });
    const minute = (time: number) => (time - ms(0)) / 60_000;
    expect(found.map(({ from, to, word }) => `${minute(from)}–${minute(to)} ${word}`)).toEqual(spans);
  });
});
