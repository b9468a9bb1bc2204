// Readings of half an hour with 2,000 hosts on a machine that had far too much to do, after the warm-up: in seconds, and what was read.
// Its checks were not counted; the number is of those that were due. The limits were set after it, a little above its noise: that it is
// flat shows only that they are not below. What is shown is that the same noise with a leak in it is told apart.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { valuesOfServer, valuesOfStore } from './limits.ts';
import { judge } from './verdict.ts';
import type { WorkPerHour } from './work-per-hour.ts';

interface KeptRun {
  readonly work: WorkPerHour;
  readonly readings: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}

const KEPT: KeptRun = JSON.parse(readFileSync(path.join(import.meta.dirname, 'kept-run.json'), 'utf8'));
const HOUR_S = 3600;

const NOTHING = { heapMib: 0, besideMib: 0, memoryMib: 0, handles: 0, threads: 0 };
const ROWS = { log: 0, hosts: 0, sessions: 0 };
const values = [
  ...[1, 2, 3].flatMap(number => valuesOfServer(`server ${number}`, NOTHING)),
  ...valuesOfStore({ sizeMib: 0, connections: 0, rows: ROWS, lastEvent: 0, oldest: {} }),
];
const measured = new Map(values.map(value => [value.measured.what, value.measured]));

/** With so much that is lost all the time. */
function verdictOf(what: string, lostPerHour: number) {
  const known = measured.get(what);
  if (known === undefined) throw new Error(`${what} is not measured any more`);
  const readings = (KEPT.readings[what] ?? []).map(([atS, value]) => ({
    atMs: atS * 1000,
    value: value + (lostPerHour * atS) / HOUR_S,
  }));
  return judge(known, readings, KEPT.work);
}

describe.each(Object.keys(KEPT.readings))('%s of a real run', what => {
  test('is flat as it was', () => {
    expect(verdictOf(what, 0).verdict).toBe('flat');
  });

  test('grows with a leak of twice the limit', () => {
    const { limitPerHour } = verdictOf(what, 0);
    expect(verdictOf(what, 2 * limitPerHour).verdict).toBe('grows');
  });
});
