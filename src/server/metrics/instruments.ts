import type { Sample } from './family.ts';
import { Family } from './family.ts';
import type { Metric } from './metric.ts';

interface Value {
  value: number;
}

abstract class SingleValue extends Family<Value> {
  protected begin(): Value {
    return { value: 0 };
  }

  protected *samplesOf(labels: string, { value }: Value): Generator<Sample> {
    yield { suffix: '', labels, value };
  }
}

export class Counter extends SingleValue {
  constructor(metric: Metric) {
    super(metric);
    this.addKnown();
  }

  add(by: number, ...values: readonly string[]): void {
    this.stateOf(values).value += by;
  }
}

export class Gauge extends SingleValue {
  set(value: number, ...values: readonly string[]): void {
    this.stateOf(values).value = value;
  }

  add(by: number, ...values: readonly string[]): void {
    this.stateOf(values).value += by;
  }

  /** Sets the series of one label value to 1 and the others to 0. */
  setOne(word: string, words: readonly string[]): void {
    for (const each of words) this.set(each === word ? 1 : 0, each);
  }
}

interface Distribution {
  readonly counts: number[];
  sum: number;
}

/** The format of floats in Go. OpenMetrics requires it for a canonical notation of bounds. */
const boundText = (bound: number) => (Number.isInteger(bound) ? `${bound}.0` : String(bound));

export class Histogram extends Family<Distribution> {
  readonly #bounds: readonly number[];
  readonly #boundTexts: readonly string[];

  constructor(metric: Metric) {
    super(metric);
    this.#bounds = metric.buckets;
    this.#boundTexts = [...metric.buckets.map(boundText), '+Inf'];
    this.addKnown();
  }

  observe(value: number, ...values: readonly string[]): void {
    const distribution = this.stateOf(values);
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket += 1;
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.sum += value;
  }

  protected begin(): Distribution {
    return { counts: this.#boundTexts.map(() => 0), sum: 0 };
  }

  protected *samplesOf(labels: string, { counts, sum }: Distribution): Generator<Sample> {
    let count = 0;
    for (const [index, bound] of this.#boundTexts.entries()) {
      count += counts[index] ?? 0;
      yield { suffix: '_bucket', labels: `${labels}${labels && ','}le="${bound}"`, value: count };
    }
    yield { suffix: '_sum', labels, value: sum };
    yield { suffix: '_count', labels, value: count };
  }
}
