import type { ToldFamily } from './exposition.ts';
import { Counter, Gauge, Histogram } from './instruments.ts';
import type { Metric } from './metric.ts';

/** All metrics of one server. */
export class Registry {
  readonly #families: ToldFamily[] = [];

  counter(metric: Metric): Counter {
    return this.#add(new Counter(metric));
  }

  gauge(metric: Metric): Gauge {
    return this.#add(new Gauge(metric));
  }

  histogram(metric: Metric): Histogram {
    return this.#add(new Histogram(metric));
  }

  get families(): readonly ToldFamily[] {
    return this.#families;
  }

  #add<F extends ToldFamily>(family: F): F {
    this.#families.push(family);
    return family;
  }
}
