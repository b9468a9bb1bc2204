// Readings of half an hour with 2,000 hosts on an overloaded machine after the warm-up. Its checks were not
// counted; the number is that of the due checks. The limits were set slightly above its noise, so its flat
// verdict proves only that they are not too low. The test shows that the same noise with a leak is detected.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkPerHour } from './growth-verdict.ts';
import { judge } from './growth-verdict.ts';
import { serverValues, storeValues } from './limits.ts';

interface RecordedRun {
  readonly work: WorkPerHour;
  readonly readings: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}

const RECORDED: RecordedRun = JSON.parse(readFileSync(path.join(import.meta.dirname, 'recorded-run.json'), 'utf8'));
const HOUR_S = 3600;

const NO_USAGE = { heapMib: 0, externalMib: 0, memoryMib: 0, handles: 0, threads: 0 };
const ROWS = { log: 0, hosts: 0, sessions: 0 };
const values = [
  ...[1, 2, 3].flatMap(number => serverValues(`server ${number}`, NO_USAGE)),
  ...storeValues({ sizeMib: 0, connections: 0, rows: ROWS, lastEvent: 0, oldest: {} }),
];
const measured = new Map(values.map(value => [value.measured.what, value.measured]));

/** Adds a constant leak to the readings. */
function judgeWithLeak(what: string, leakPerHour: number) {
  const measurement = measured.get(what);
  if (measurement === undefined) throw new Error(`${what} is no longer measured`);
  const readings = (RECORDED.readings[what] ?? []).map(([atS, value]) => ({
    atMs: atS * 1000,
    value: value + (leakPerHour * atS) / HOUR_S,
  }));
  return judge(measurement, readings, RECORDED.work);
}

describe.each(Object.keys(RECORDED.readings))('%s of a recorded run', what => {
  test('is flat', () => {
    expect(judgeWithLeak(what, 0).verdict).toBe('flat');
  });

  test('grows with a leak of twice the limit', () => {
    const { limitPerHour } = judgeWithLeak(what, 0);
    expect(judgeWithLeak(what, 2 * limitPerHour).verdict).toBe('grows');
  });
});
