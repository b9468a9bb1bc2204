import type { Metric } from './metric.ts';

/** One line of what is told. */
export interface Sample {
  /** Behind the name of the metric. */
  readonly suffix: string;
  /** As they are written: `kind="work"`. */
  readonly labels: string;
  readonly value: number;
}

const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

/** A metric that is told for more combinations than this from the start would be mostly zeros. */
const MOST_ZEROS = 50;

/** Every combination of values, where all are closed sets and they are few. */
function knownValues({ labels }: Metric): readonly (readonly string[])[] {
  let known: readonly (readonly string[])[] = [[]];
  for (const values of Object.values(labels)) {
    if (!Array.isArray(values)) return [];
    known = known.flatMap(before => values.map((value: string) => [...before, value]));
  }
  return known.length <= MOST_ZEROS ? known : [];
}

/** What was counted for one metric, for each combination of its labels. Values of labels are given in the order of the row. */
export abstract class Family<State> {
  readonly metric: Metric;
  readonly #states = new Map<string, { readonly labels: string; readonly state: State }>();

  constructor(metric: Metric) {
    this.metric = metric;
  }

  protected abstract begin(): State;
  protected abstract samplesOf(labels: string, state: State): Iterable<Sample>;

  /** Tells what is known beforehand from the start: of what was never zero no increase can be seen. */
  protected addKnown(): void {
    for (const values of knownValues(this.metric)) this.stateOf(values);
  }

  protected stateOf(values: readonly string[]): State {
    // No value has a line break: they are words of ours, names of records and templates of paths.
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\n');
    const known = this.#states.get(key);
    if (known) return known.state;
    const names = Object.keys(this.metric.labels);
    if (names.length !== values.length)
      throw new Error(`${this.metric.name} has the labels ${names.join(', ')}, not ${values.length} values`);
    const labels = names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`).join(',');
    const state = this.begin();
    this.#states.set(key, { labels, state });
    return state;
  }

  /** Forgets all, for what is read anew. */
  clear(): void {
    this.#states.clear();
  }

  *samples(): Generator<Sample> {
    for (const { labels, state } of this.#states.values()) yield* this.samplesOf(labels, state);
  }
}
