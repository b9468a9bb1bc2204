import type { Reading } from './slope.ts';
import { slopeOf } from './slope.ts';
import type { WorkPerHour } from './work-per-hour.ts';

/** `flat`: it is known to rise by no more than the limit. `unknown`: neither that nor the opposite can be told from so many readings. */
export type Verdict = 'flat' | 'grows' | 'unknown';

/** Something that must not grow. */
export interface Measured {
  readonly what: string;
  readonly unit: string;
  /** The most that it may grow while so much is done: a slow machine does less, and may let less grow. */
  readonly limitPerHour: (work: WorkPerHour) => number;
}

export interface Judged {
  readonly what: string;
  readonly unit: string;
  readonly first: number;
  readonly last: number;
  readonly perHour: number;
  readonly atLeastPerHour: number;
  readonly atMostPerHour: number;
  readonly limitPerHour: number;
  readonly verdict: Verdict;
}

/** Not to be told from noise is not enough to be flat: the noise must be small enough to show what is above the limit. */
export function judge(
  { what, unit, limitPerHour }: Measured,
  readings: readonly Reading[],
  work: WorkPerHour,
): Judged {
  const slope = slopeOf(readings);
  const limit = limitPerHour(work);
  if (slope === undefined) {
    const none = {
      ...{ perHour: 0, limitPerHour: limit },
      ...{ atLeastPerHour: Number.NEGATIVE_INFINITY, atMostPerHour: Number.POSITIVE_INFINITY },
    };
    const [first, last] = [readings[0]?.value ?? 0, readings.at(-1)?.value ?? 0];
    return { what, unit, first, last, ...none, verdict: 'unknown' };
  }
  const isAbove = slope.perHour > limit && slope.atLeastPerHour > 0;
  const verdict = slope.atMostPerHour <= limit ? 'flat' : isAbove ? 'grows' : 'unknown';
  return { what, unit, ...slope, limitPerHour: limit, verdict };
}
