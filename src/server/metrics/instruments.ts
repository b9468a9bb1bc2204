import type { Metric } from './metric.ts';

/** One line of the exposition. */
export interface Sample {
  /** Appended to the name of the metric. */
  readonly suffix: string;
  /** In the exposition format: `kind="task"`. */
  readonly labels: string;
  readonly value: number;
}

const escapeLabelValue = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

/** With more combinations of labels than this, most of the initial series would stay 0. */
const MAX_PREINITIALIZED_SERIES = 50;

/** All combinations of label values, if all labels are closed sets and the combinations are few. */
function findLabelSets({ labels }: Metric): readonly (readonly string[])[] {
  let labelSets: readonly (readonly string[])[] = [[]];
  for (const values of Object.values(labels)) {
    if (!Array.isArray(values)) return [];
    labelSets = labelSets.flatMap(labelSet => values.map((value: string) => [...labelSet, value]));
  }
  return labelSets.length <= MAX_PREINITIALIZED_SERIES ? labelSets : [];
}

/** The state of one metric for each combination of its labels. Label values must be in the order of the definition. */
abstract class Family<State> {
  readonly metric: Metric;
  /** Keyed by the joined label values. `labels` is in the exposition format. */
  readonly #series = new Map<string, { readonly labels: string; readonly state: State }>();

  constructor(metric: Metric) {
    this.metric = metric;
  }

  protected abstract createState(): State;
  protected abstract toSamples(labels: string, state: State): Iterable<Sample>;

  /** Exports known series as 0 from the start, because Prometheus cannot compute the first increase of a series that begins above 0. */
  protected initializeSeries(): void {
    for (const values of findLabelSets(this.metric)) this.getState(values);
  }

  protected getState(values: readonly string[]): State {
    const key = values.join('\0');
    return (this.#series.get(key) ?? this.#createSeries(key, values)).state;
  }

  #createSeries(key: string, values: readonly string[]) {
    const names = Object.keys(this.metric.labels);
    if (names.length !== values.length)
      throw new Error(`${this.metric.name} has the labels ${names.join(', ')}, not ${values.length} values`);
    const labels = names.map((name, index) => `${name}="${escapeLabelValue(values[index] ?? '')}"`).join(',');
    const series = { labels, state: this.createState() };
    this.#series.set(key, series);
    return series;
  }

  clear(): void {
    this.#series.clear();
  }

  *samples(): Generator<Sample> {
    for (const { labels, state } of this.#series.values()) yield* this.toSamples(labels, state);
  }
}

abstract class SingleValue extends Family<{ value: number }> {
  add(by: number, ...values: readonly string[]): void {
    this.getState(values).value += by;
  }

  protected createState(): { value: number } {
    return { value: 0 };
  }

  protected *toSamples(labels: string, { value }: { value: number }): Generator<Sample> {
    yield { suffix: '', labels, value };
  }
}

export class Counter extends SingleValue {
  constructor(metric: Metric) {
    super(metric);
    this.initializeSeries();
  }
}

export class Gauge extends SingleValue {
  set(value: number, ...values: readonly string[]): void {
    this.getState(values).value = value;
  }

  /** Sets the series of one label value to 1 and the others to 0. */
  setActiveLabel(active: string, values: readonly string[]): void {
    for (const each of values) this.set(each === active ? 1 : 0, each);
  }
}

interface Distribution {
  readonly counts: number[];
  sum: number;
}

/** The format of floats in Go. OpenMetrics requires it for a canonical notation of bounds. */
const formatBound = (bound: number) => (Number.isInteger(bound) ? `${bound}.0` : String(bound));

export class Histogram extends Family<Distribution> {
  readonly #bounds: readonly number[];
  readonly #boundLabels: readonly string[];

  constructor(metric: Metric) {
    super(metric);
    this.#bounds = metric.buckets;
    this.#boundLabels = [...metric.buckets.map(formatBound), '+Inf'];
    this.initializeSeries();
  }

  observe(value: number, ...values: readonly string[]): void {
    const distribution = this.getState(values);
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket += 1;
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
  }

  protected createState(): Distribution {
    return { counts: this.#boundLabels.map(() => 0), sum: 0 };
  }

  protected *toSamples(labels: string, { counts, sum }: Distribution): Generator<Sample> {
    let count = 0;
    for (const [index, bound] of this.#boundLabels.entries()) {
      count += counts[index] ?? 0;
      yield { suffix: '_bucket', labels: `${labels}${labels && ','}le="${bound}"`, value: count };
    }
    yield { suffix: '_sum', labels, value: sum };
    yield { suffix: '_count', labels, value: count };
  }
}
