import type { Reading } from './slope.ts';
import { slopeOf } from './slope.ts';

/** `steady`: it may rise, but no more than chance would have it. `unknown`: there are too few readings. */
export type Verdict = 'flat' | 'steady' | 'grows' | 'unknown';

/** Something that must not grow. */
export interface Measured {
  readonly what: string;
  readonly unit: string;
  /** The most that it may grow in a day, given where it began. */
  readonly limitPerDay: (first: number) => number;
}

export interface Judged {
  readonly what: string;
  readonly unit: string;
  readonly first: number;
  readonly last: number;
  readonly perHour: number;
  readonly atLeastPerHour: number;
  readonly atMostPerHour: number;
  readonly perDay: number;
  readonly limitPerDay: number;
  readonly verdict: Verdict;
}

const HOURS_PER_DAY = 24;

/** It grows if, at this pace, it would be above the limit in a day, and if this pace is no chance. */
export function judge({ what, unit, limitPerDay }: Measured, readings: readonly Reading[]): Judged {
  const slope = slopeOf(readings);
  if (slope === undefined) {
    const none = { perHour: 0, atLeastPerHour: 0, atMostPerHour: 0, perDay: 0, limitPerDay: 0 };
    const [first, last] = [readings[0]?.value ?? 0, readings.at(-1)?.value ?? 0];
    return { what, unit, first, last, ...none, verdict: 'unknown' };
  }
  const perDay = slope.perHour * HOURS_PER_DAY;
  const limit = limitPerDay(slope.first);
  const isWithin = perDay <= limit;
  const isChance = slope.atLeastPerHour <= 0;
  const verdict = isWithin ? 'flat' : isChance ? 'steady' : 'grows';
  return { what, unit, ...slope, perDay, limitPerDay: limit, verdict };
}
