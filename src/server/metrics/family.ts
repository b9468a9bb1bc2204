import type { Metric } from './metric.ts';

/** One line of the exposition. */
export interface Sample {
  /** Appended to the name of the metric. */
  readonly suffix: string;
  /** In the exposition format: `kind="task"`. */
  readonly labels: string;
  readonly value: number;
}

const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

/** With more combinations of labels than this, most of the initial series would stay 0. */
const MOST_ZEROS = 50;

/** All combinations of label values, if all labels are closed sets and the combinations are few. */
function knownValues({ labels }: Metric): readonly (readonly string[])[] {
  let known: readonly (readonly string[])[] = [[]];
  for (const values of Object.values(labels)) {
    if (!Array.isArray(values)) return [];
    known = known.flatMap(before => values.map((value: string) => [...before, value]));
  }
  return known.length <= MOST_ZEROS ? known : [];
}

interface Leaf<State> {
  /** In the exposition format. */
  readonly labels: string;
  readonly state: State;
}

/** Nested by label values, so that a lookup does not build a key string. */
type Branch<State> = Map<string, Branch<State> | Leaf<State>>;

/** The state of one metric for each combination of its labels. Label values have the order of the definition. */
export abstract class Family<State> {
  readonly metric: Metric;
  #leaves: Leaf<State>[] = [];
  #tree: Branch<State> = new Map();

  constructor(metric: Metric) {
    this.metric = metric;
  }

  protected abstract begin(): State;
  protected abstract samplesOf(labels: string, state: State): Iterable<Sample>;

  /** Exports known series as 0 from the start, because Prometheus cannot compute the first increase of a series that begins above 0. */
  protected addKnown(): void {
    for (const values of knownValues(this.metric)) this.stateOf(values);
  }

  protected stateOf(values: readonly string[]): State {
    let found: Branch<State> | Leaf<State> | undefined = this.#tree;
    for (const value of values) found = found instanceof Map ? found.get(value) : undefined;
    // A metric without labels has one leaf, and no tree.
    const leaf = values.length === 0 ? this.#leaves[0] : found;
    return leaf === undefined || leaf instanceof Map ? this.#add(values) : leaf.state;
  }

  #add(values: readonly string[]): State {
    const names = Object.keys(this.metric.labels);
    if (names.length !== values.length)
      throw new Error(`${this.metric.name} has the labels ${names.join(', ')}, not ${values.length} values`);
    const labels = names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`).join(',');
    const leaf = { labels, state: this.begin() };
    this.#leaves.push(leaf);
    let branch = this.#tree;
    for (const value of values.slice(0, -1)) {
      const next = branch.get(value);
      const grown: Branch<State> = next instanceof Map ? next : new Map();
      branch.set(value, grown);
      branch = grown;
    }
    branch.set(values.at(-1) ?? '', leaf);
    return leaf.state;
  }

  /** Removes all series before they are read again. */
  clear(): void {
    this.#leaves = [];
    this.#tree = new Map();
  }

  *samples(): Generator<Sample> {
    for (const { labels, state } of this.#leaves) yield* this.samplesOf(labels, state);
  }
}
