// How fast something rises, told from readings that jump about: the median of the slopes between all pairs (Theil and Sen), and between
// which slopes the true one lies (Sen, 1968, by the spread of Kendall's S). Single readings far off move it hardly. Readings that follow
// each other soon resemble each other, which would make the bounds too narrow: so what counts are the medians of some stretches.

export interface Reading {
  readonly atMs: number;
  readonly value: number;
}

export interface Slope {
  readonly perHour: number;
  /** With a confidence of 99 in 100. */
  readonly atLeastPerHour: number;
  readonly atMostPerHour: number;
  /** In the first and in the last stretch. */
  readonly first: number;
  readonly last: number;
}

/** Of a minute each, in a run of half an hour. */
const STRETCHES = 20;
/** With fewer nothing can be told from anything. */
const FEWEST_STRETCHES = 5;
/** The normal distribution has 99 of 100 within so many deviations. */
const DEVIATIONS = 2.576;
const HOUR_MS = 3_600_000;

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [below = Number.NaN, above = Number.NaN] = [
    sorted[Math.ceil(middle) - 1],
    sorted[Math.floor(middle)],
  ];
  return (below + above) / 2;
}

/** Medians of stretches with as many readings each, as far as possible. */
export function stretchesOf(readings: readonly Reading[]): readonly Reading[] {
  const count = Math.min(STRETCHES, Math.max(FEWEST_STRETCHES, Math.floor(readings.length / 2)));
  if (readings.length <= count) return readings;
  return Array.from({ length: count }, (_, index) => {
    const edge = (at: number) => Math.round((at * readings.length) / count);
    const stretch = readings.slice(edge(index), edge(index + 1));
    return {
      atMs: medianOf(stretch.map(({ atMs }) => atMs)),
      value: medianOf(stretch.map(({ value }) => value)),
    };
  });
}

/** How far S may be from zero by chance, less where values are the same. */
function chanceOf(values: readonly number[]): number {
  const weight = (n: number) => n * (n - 1) * (2 * n + 5);
  const same = [...Map.groupBy(values, value => value).values()].map(group => weight(group.length));
  const variance = (weight(values.length) - same.reduce((sum, each) => sum + each, 0)) / 18;
  return DEVIATIONS * Math.sqrt(variance);
}

/** `undefined`: there are too few readings. */
export function slopeOf(readings: readonly Reading[]): Slope | undefined {
  const stretches = stretchesOf(readings);
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (first === undefined || last === undefined || stretches.length < FEWEST_STRETCHES) return undefined;
  const slopes = stretches
    .flatMap((from, index) =>
      stretches.slice(index + 1).map(to => ((to.value - from.value) / (to.atMs - from.atMs)) * HOUR_MS),
    )
    .sort((a, b) => a - b);
  const chance = chanceOf(stretches.map(({ value }) => value));
  const at = (place: number) =>
    slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(place)))] ?? Number.NaN;
  return {
    perHour: medianOf(slopes),
    atLeastPerHour: at((slopes.length - chance) / 2 - 1),
    atMostPerHour: at((slopes.length + chance) / 2),
    first: first.value,
    last: last.value,
  };
}
