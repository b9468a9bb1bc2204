// Trend of noisy readings: the Theil–Sen median of all pairwise slopes, with confidence bounds after Sen
// (1968) from the variance of Kendall's S. It is robust against outliers. Consecutive readings correlate,
// which would make the bounds too narrow, so the estimate uses medians of time windows.

export interface Reading {
  readonly atMs: number;
  readonly value: number;
}

export interface Trend {
  readonly perHour: number;
  /** With 99 % confidence. */
  readonly atLeastPerHour: number;
  readonly atMostPerHour: number;
  /** In the first and last window. */
  readonly first: number;
  readonly last: number;
}

/** About one minute each in a run of half an hour. */
const WINDOWS = 20;
/** Fewer windows allow no conclusion. */
const MIN_WINDOWS = 5;
/** 99 % quantile of the normal distribution (two-sided). */
const DEVIATIONS = 2.576;
const HOUR_MS = 3_600_000;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (below + above) / 2;
}

/** Medians of windows with the same number of readings, as far as possible. */
export function toWindowMedians(readings: readonly Reading[]): readonly Reading[] {
  const count = Math.min(WINDOWS, Math.max(MIN_WINDOWS, Math.floor(readings.length / 2)));
  if (readings.length <= count) return readings;
  return Array.from({ length: count }, (_, index) => {
    const edge = (at: number) => Math.round((at * readings.length) / count);
    const window = readings.slice(edge(index), edge(index + 1));
    return {
      atMs: median(window.map(({ atMs }) => atMs)),
      value: median(window.map(({ value }) => value)),
    };
  });
}

/** Expected spread of S by chance, corrected for ties. */
function confidenceSpread(values: readonly number[]): number {
  const weight = (n: number) => n * (n - 1) * (2 * n + 5);
  const same = [...Map.groupBy(values, value => value).values()].map(group => weight(group.length));
  const variance = (weight(values.length) - same.reduce((sum, weightOfGroup) => sum + weightOfGroup, 0)) / 18;
  return DEVIATIONS * Math.sqrt(variance);
}

/** `undefined` with too few readings. */
export function estimateTrend(readings: readonly Reading[]): Trend | undefined {
  const windows = toWindowMedians(readings);
  const [first, last] = [windows[0], windows.at(-1)];
  if (first === undefined || last === undefined || windows.length < MIN_WINDOWS) return undefined;
  const slopes = windows
    .flatMap((from, index) =>
      windows.slice(index + 1).map(to => ((to.value - from.value) / (to.atMs - from.atMs)) * HOUR_MS),
    )
    .sort((a, b) => a - b);
  const spread = confidenceSpread(windows.map(({ value }) => value));
  const slopeAt = (rank: number) => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(rank)))] ?? Number.NaN;
  return {
    perHour: median(slopes),
    atLeastPerHour: slopeAt((slopes.length - spread) / 2 - 1),
    atMostPerHour: slopeAt((slopes.length + spread) / 2),
    first: first.value,
    last: last.value,
  };
}

/** `flat`: the growth is below the limit. `unknown`: the readings are too few or too noisy. */
export type Verdict = 'flat' | 'grows' | 'unknown';

export interface Measured {
  readonly what: string;
  readonly unit: string;
  /** Depends on the work, because a slow machine does less work and may grow less. */
  readonly limitPerHour: (work: WorkPerHour) => number;
}

export interface Judgement {
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

/** `flat` requires an upper bound below the limit, so noise that could hide growth gives `unknown`. */
export function judge(
  { what, unit, limitPerHour }: Measured,
  readings: readonly Reading[],
  work: WorkPerHour,
): Judgement {
  const slope = estimateTrend(readings);
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

/** Work of all servers per hour at the rate of this run. */
export interface WorkPerHour {
  readonly servers: number;
  /** Requests of the API load only. */
  readonly requests: number;
  /** Health checks of the hosts outside the busy clusters, counted by the hosts. */
  readonly checks: number;
  readonly events: number;
  readonly operations: number;
  readonly operationHosts: number;
  /** Event clients that connected and left. */
  readonly readers: number;
  /** Hosts and records that were created and removed. */
  readonly transient_hosts: number;
}

/** Work done until a point in time. */
export interface WorkSample {
  readonly atMs: number;
  readonly done: Readonly<Record<string, number>>;
}

/** From the first to the last sample. */
export function computeRates(samples: readonly WorkSample[]): (kind: string) => number {
  const [first, last] = [samples[0], samples.at(-1)];
  const hours = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / HOUR_MS;
  return kind => (hours > 0 ? ((last?.done[kind] ?? 0) - (first?.done[kind] ?? 0)) / hours : 0);
}
