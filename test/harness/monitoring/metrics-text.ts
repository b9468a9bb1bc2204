// A strict reader of what `/metrics` answers, in both forms. It throws where Prometheus would be lenient.

export interface ReadFamily {
  readonly type: string;
  readonly help: string;
  readonly unit: string | undefined;
  /** Values by what a line has before them: `name{label="value"}`. */
  readonly samples: ReadonlyMap<string, number>;
}

export type ReadMetrics = ReadonlyMap<string, ReadFamily>;

const NAME = '[a-z_][a-z0-9_]*';
const LABEL = `${NAME}="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`;
const SAMPLE = new RegExp(`^((${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})?) (\\S+)$`);
const VALUE = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|NaN)$/;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  info: ['_info'],
};

interface Draft {
  type?: string;
  help?: string;
  unit?: string;
  readonly samples: Map<string, number>;
}

function numberIn(text: string): number {
  if (!VALUE.test(text)) throw new Error(`no number: ${text}`);
  return Number(text.replace('Inf', 'Infinity'));
}

/** Buckets of one series rise up to `+Inf`, which is the count. */
function checkHistogram(name: string, samples: ReadonlyMap<string, number>): void {
  const series = new Map<string, { last: number; bound: number }>();
  for (const [key, value] of samples) {
    const [, before = '', bound] = /^\w+_bucket\{(.*?),?le="([^"]+)"\}$/.exec(key) ?? [];
    if (bound === undefined) continue;
    const at = numberIn(bound);
    const { last, bound: boundBefore } = series.get(before) ?? { last: 0, bound: -1 };
    if (at <= boundBefore || value < last) throw new Error(`${key} does not rise`);
    series.set(before, { last: value, bound: at });
  }
  for (const [labels, { last, bound }] of series) {
    const count = samples.get(`${name}_count${labels && `{${labels}}`}`);
    if (bound !== Number.POSITIVE_INFINITY || count !== last)
      throw new Error(`${name} {${labels}}: ${last} of ${count}`);
  }
}

class Reader {
  readonly #families = new Map<string, Draft>();
  readonly #isOpenMetrics: boolean;
  #current = '';

  constructor(isOpenMetrics: boolean) {
    this.#isOpenMetrics = isOpenMetrics;
  }

  read(line: string): void {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE|UNIT) (\S+) (.+)$/.exec(line) ?? [];
    if (word !== undefined) this.#describe(word.toLowerCase(), name, rest);
    else this.#sample(line);
  }

  #describe(word: string, name: string, rest: string): void {
    if (name !== this.#current && this.#families.has(name)) throw new Error(`${name} is told in two places`);
    const family = this.#families.get(name) ?? { samples: new Map() };
    if (family.samples.size > 0 || Object.hasOwn(family, word)) throw new Error(`${word} of ${name} is late`);
    if (word === 'unit' && !name.endsWith(`_${rest}`)) throw new Error(`${name} is not in ${rest}`);
    this.#families.set(name, Object.assign(family, { [word]: rest }));
    this.#current = name;
  }

  #sample(line: string): void {
    const [, key = '', name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    const family = this.#families.get(this.#current);
    if (name === '' || family?.type === undefined || family.help === undefined)
      throw new Error(`no line of metrics: ${line}`);
    const suffixes = this.#isOpenMetrics || family.type === 'histogram' ? SUFFIXES[family.type] : [''];
    if (!suffixes?.some(suffix => name === this.#current + suffix))
      throw new Error(`${name} is no sample of the ${family.type} ${this.#current}`);
    const names = labels.split(/(?<="),/).map(label => label.split('=')[0]);
    if (new Set(names).size < names.length) throw new Error(`a label twice: ${line}`);
    if (family.samples.has(key)) throw new Error(`told twice: ${key}`);
    family.samples.set(key, numberIn(value));
  }

  families(): ReadMetrics {
    const read = new Map<string, ReadFamily>();
    for (const [name, { type, help, unit, samples }] of this.#families) {
      if (type === undefined || help === undefined) throw new Error(`${name} has no type or no help`);
      if (type === 'histogram') checkHistogram(name, samples);
      read.set(name, { type, help, unit, samples });
    }
    return read;
  }
}

/** OpenMetrics 1.0. */
export function readOpenMetrics(text: string): ReadMetrics {
  const END = '\n# EOF\n';
  if (!text.endsWith(END)) throw new Error('it does not end with # EOF');
  const reader = new Reader(true);
  for (const line of text.slice(0, -END.length).split('\n')) reader.read(line);
  return reader.families();
}

/** The text format 0.0.4. */
export function readPrometheusText(text: string): ReadMetrics {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const reader = new Reader(false);
  for (const line of text.slice(0, -1).split('\n')) reader.read(line);
  return reader.families();
}

/** The value of one line. */
export const valueIn = (metrics: ReadMetrics, key: string): number | undefined =>
  [...metrics.values()].find(({ samples }) => samples.has(key))?.samples.get(key);
