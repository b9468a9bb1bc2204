import type { Sample } from './instruments.ts';
import { Counter, Gauge, Histogram } from './instruments.ts';
import type { Metric } from './metric.ts';

const INSTRUMENTS = { counter: Counter, gauge: Gauge, histogram: Histogram, info: Gauge };

export type Instruments<Metrics extends Readonly<Record<string, Metric>>> = {
  readonly [Key in keyof Metrics]: InstanceType<(typeof INSTRUMENTS)[Metrics[Key]['kind']]>;
};

export class Registry {
  readonly #families: ExportableFamily[] = [];

  create<Metrics extends Readonly<Record<string, Metric>>>(metrics: Metrics): Instruments<Metrics> {
    const entries = Object.entries(metrics).map(
      ([key, metric]) => [key, new INSTRUMENTS[metric.kind](metric)] as const,
    );
    this.#families.push(...entries.map(([, instrument]) => instrument));
    return Object.fromEntries(entries) as Instruments<Metrics>;
  }

  get families(): readonly ExportableFamily[] {
    return this.#families;
  }
}

// The two export formats: OpenMetrics 1.0, and the text format 0.0.4 of Prometheus.

export interface ExportableFamily {
  readonly metric: Metric;
  samples(): Iterable<Sample>;
}

function formatValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function* sampleLines(family: ExportableFamily) {
  const { name } = family.metric;
  for (const { suffix, labels, value } of family.samples())
    yield `${name}${suffix}${labels && `{${labels}}`} ${formatValue(value)}`;
}

/** In OpenMetrics, sample names have these suffixes, but family names do not. */
const TYPE_SUFFIXES: Readonly<Partial<Record<Metric['kind'], string>>> = { counter: '_total', info: '_info' };

function* openMetricsLines(families: Iterable<ExportableFamily>) {
  for (const family of families) {
    const { name, kind, help } = family.metric;
    const familyName = name.slice(0, name.length - (TYPE_SUFFIXES[kind]?.length ?? 0));
    const [, unit] = /_(seconds|bytes)$/.exec(familyName) ?? [];
    yield `# TYPE ${familyName} ${kind}`;
    if (unit) yield `# UNIT ${familyName} ${unit}`;
    yield `# HELP ${familyName} ${help}`;
    yield* sampleLines(family);
  }
  yield '# EOF';
}

function* prometheusLines(families: Iterable<ExportableFamily>) {
  for (const family of families) {
    const { name, kind, help } = family.metric;
    yield `# HELP ${name} ${help}`;
    yield `# TYPE ${name} ${kind === 'info' ? 'gauge' : kind}`;
    yield* sampleLines(family);
  }
}

const joinLines = (lines: Iterable<string>) => `${[...lines].join('\n')}\n`;

export const formatOpenMetrics = (families: Iterable<ExportableFamily>): string =>
  joinLines(openMetricsLines(families));

export const formatPrometheus = (families: Iterable<ExportableFamily>): string => joinLines(prometheusLines(families));
