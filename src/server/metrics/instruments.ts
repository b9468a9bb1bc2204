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

interface Series<State> {
  /** In the exposition format. */
  readonly labels: string;
  readonly state: State;
}

/** Nested by label values, so that a lookup does not build a key string. */
type LabelNode<State> = Map<string, LabelNode<State> | Series<State>>;

/**
 * The state of one metric for each combination of its labels. Label values must be in the order of the
 * definition.
 */
export abstract class Family<State> {
  readonly metric: Metric;
  #series: Series<State>[] = [];
  #root: LabelNode<State> = new Map();

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
    let node: LabelNode<State> | Series<State> | undefined = this.#root;
    for (const value of values) node = node instanceof Map ? node.get(value) : undefined;
    // A metric without labels has a single series outside the tree.
    const series = values.length === 0 ? this.#series[0] : node;
    return series === undefined || series instanceof Map ? this.#add(values) : series.state;
  }

  #add(values: readonly string[]): State {
    const names = Object.keys(this.metric.labels);
    if (names.length !== values.length)
      throw new Error(`${this.metric.name} has the labels ${names.join(', ')}, not ${values.length} values`);
    const labels = names.map((name, index) => `${name}="${escapeLabelValue(values[index] ?? '')}"`).join(',');
    const series = { labels, state: this.createState() };
    this.#series.push(series);
    let node = this.#root;
    for (const value of values.slice(0, -1)) {
      const next = node.get(value);
      const child: LabelNode<State> = next instanceof Map ? next : new Map();
      node.set(value, child);
      node = child;
    }
    node.set(values.at(-1) ?? '', series);
    return series.state;
  }

  clear(): void {
    this.#series = [];
    this.#root = new Map();
  }

  *samples(): Generator<Sample> {
    for (const { labels, state } of this.#series) yield* this.toSamples(labels, state);
  }
}

interface Value {
  value: number;
}

abstract class SingleValue extends Family<Value> {
  protected createState(): Value {
    return { value: 0 };
  }

  protected *toSamples(labels: string, { value }: Value): Generator<Sample> {
    yield { suffix: '', labels, value };
  }
}

export class Counter extends SingleValue {
  constructor(metric: Metric) {
    super(metric);
    this.initializeSeries();
  }

  add(by: number, ...values: readonly string[]): void {
    this.getState(values).value += by;
  }
}

export class Gauge extends SingleValue {
  set(value: number, ...values: readonly string[]): void {
    this.getState(values).value = value;
  }

  add(by: number, ...values: readonly string[]): void {
    this.getState(values).value += by;
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
