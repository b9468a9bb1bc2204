// A strict parser of `/metrics` in both formats. It throws where Prometheus is lenient.

interface MetricFamily {
  readonly type: string;
  readonly help: string;
  readonly unit: string | undefined;
  /** By metric name with labels: `name{label="value"}`. */
  readonly samples: ReadonlyMap<string, number>;
}

export type ParsedMetrics = ReadonlyMap<string, MetricFamily>;

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

interface FamilyDraft {
  type?: string;
  help?: string;
  unit?: string;
  readonly samples: Map<string, number>;
}

function parseNumber(text: string): number {
  if (!VALUE.test(text)) throw new Error(`not a number: ${text}`);
  return Number(text.replace('Inf', 'Infinity'));
}

/** Buckets of a series must increase up to `+Inf`, which must equal the count. */
function checkHistogram(name: string, samples: ReadonlyMap<string, number>): void {
  const series = new Map<string, { last: number; bound: number }>();
  for (const [key, value] of samples) {
    const [, before = '', bound] = /^\w+_bucket\{(.*?),?le="([^"]+)"\}$/.exec(key) ?? [];
    if (bound === undefined) continue;
    const boundValue = parseNumber(bound);
    const { last, bound: previousBound } = series.get(before) ?? { last: 0, bound: -1 };
    if (boundValue <= previousBound || value < last) throw new Error(`${key} does not increase`);
    series.set(before, { last: value, bound: boundValue });
  }
  for (const [labels, { last, bound }] of series) {
    const count = samples.get(`${name}_count${labels && `{${labels}}`}`);
    if (bound !== Number.POSITIVE_INFINITY || count !== last)
      throw new Error(`${name} {${labels}}: ${last} of ${count}`);
  }
}

class MetricsParser {
  readonly #families = new Map<string, FamilyDraft>();
  readonly #isOpenMetrics: boolean;
  #current = '';

  constructor(isOpenMetrics: boolean) {
    this.#isOpenMetrics = isOpenMetrics;
  }

  read(line: string): void {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE|UNIT) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword !== undefined) this.#describe(keyword.toLowerCase(), name, rest);
    else this.#sample(line);
  }

  #describe(keyword: string, name: string, rest: string): void {
    if (name !== this.#current && this.#families.has(name)) throw new Error(`${name} is described twice`);
    const family = this.#families.get(name) ?? { samples: new Map() };
    if (family.samples.size > 0 || Object.hasOwn(family, keyword)) throw new Error(`${keyword} of ${name} is late`);
    if (keyword === 'unit' && !name.endsWith(`_${rest}`)) throw new Error(`${name} is not in ${rest}`);
    this.#families.set(name, Object.assign(family, { [keyword]: rest }));
    this.#current = name;
  }

  #sample(line: string): void {
    const [, key = '', name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    const family = this.#families.get(this.#current);
    if (name === '' || family?.type === undefined || family.help === undefined)
      throw new Error(`invalid line: ${line}`);
    const suffixes = this.#isOpenMetrics || family.type === 'histogram' ? SUFFIXES[family.type] : [''];
    if (!suffixes?.some(suffix => name === this.#current + suffix))
      throw new Error(`${name} is not a sample of the ${family.type} ${this.#current}`);
    const names = labels.split(/(?<="),/).map(label => label.split('=')[0]);
    if (new Set(names).size < names.length) throw new Error(`duplicate label: ${line}`);
    if (family.samples.has(key)) throw new Error(`duplicate sample: ${key}`);
    family.samples.set(key, parseNumber(value));
  }

  families(): ParsedMetrics {
    const read = new Map<string, MetricFamily>();
    for (const [name, { type, help, unit, samples }] of this.#families) {
      if (type === undefined || help === undefined) throw new Error(`${name} has no type or no help`);
      if (type === 'histogram') checkHistogram(name, samples);
      read.set(name, { type, help, unit, samples });
    }
    return read;
  }
}

/** OpenMetrics 1.0. */
export function parseOpenMetrics(text: string): ParsedMetrics {
  const END = '\n# EOF\n';
  if (!text.endsWith(END)) throw new Error('missing # EOF');
  const reader = new MetricsParser(true);
  for (const line of text.slice(0, -END.length).split('\n')) reader.read(line);
  return reader.families();
}

/** The text format 0.0.4. */
export function parsePrometheusText(text: string): ParsedMetrics {
  if (!text.endsWith('\n')) throw new Error('missing final newline');
  const reader = new MetricsParser(false);
  for (const line of text.slice(0, -1).split('\n')) reader.read(line);
  return reader.families();
}

export const getValue = (metrics: ParsedMetrics, key: string): number | undefined =>
  [...metrics.values()].find(({ samples }) => samples.has(key))?.samples.get(key);
