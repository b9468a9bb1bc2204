// The two text formats for monitoring systems: OpenMetrics 1.0, and the older text format 0.0.4 of Prometheus. They differ in the names of
// counter families and at the end of the text.

import type { Sample } from './family.ts';
import type { Metric } from './metric.ts';

export interface ToldFamily {
  readonly metric: Metric;
  samples(): Iterable<Sample>;
}

function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function* sampleLines(family: ToldFamily) {
  const { name } = family.metric;
  for (const { suffix, labels, value } of family.samples())
    yield `${name}${suffix}${labels && `{${labels}}`} ${valueText(value)}`;
}

/** In OpenMetrics, sample names have these suffixes, but family names do not. */
const OWN_SUFFIXES: Readonly<Partial<Record<Metric['kind'], string>>> = { counter: '_total', info: '_info' };

function* openMetricsLines(families: Iterable<ToldFamily>) {
  for (const family of families) {
    const { name, kind, help } = family.metric;
    const familyName = name.slice(0, name.length - (OWN_SUFFIXES[kind]?.length ?? 0));
    const [, unit] = /_(seconds|bytes)$/.exec(familyName) ?? [];
    yield `# TYPE ${familyName} ${kind}`;
    if (unit) yield `# UNIT ${familyName} ${unit}`;
    yield `# HELP ${familyName} ${help}`;
    yield* sampleLines(family);
  }
  yield '# EOF';
}

function* prometheusLines(families: Iterable<ToldFamily>) {
  for (const family of families) {
    const { name, kind, help } = family.metric;
    yield `# HELP ${name} ${help}`;
    yield `# TYPE ${name} ${kind === 'info' ? 'gauge' : kind}`;
    yield* sampleLines(family);
  }
}

const textOf = (lines: Iterable<string>) => `${[...lines].join('\n')}\n`;

export const openMetricsText = (families: Iterable<ToldFamily>): string => textOf(openMetricsLines(families));

export const prometheusText = (families: Iterable<ToldFamily>): string => textOf(prometheusLines(families));
