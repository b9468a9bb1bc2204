// The documentation is generated from the metric definitions. Tests check the dashboard and the alert rules.

export type MetricKind = 'counter' | 'gauge' | 'histogram' | 'info';

/** All values of a label. If the set is not closed: a description of the values and what limits their number. */
type LabelValues = readonly string[] | { readonly description: string };

export interface Metric<Kind extends MetricKind = MetricKind> {
  readonly name: string;
  readonly kind: Kind;
  readonly help: string;
  readonly labels: Readonly<Record<string, LabelValues>>;
  /** Of a histogram: upper bounds in ascending order. */
  readonly buckets: readonly number[];
  /** `store`: the value belongs to all servers together, and each server exports the same value. */
  readonly scope: 'server' | 'store';
}

type Labels = Metric['labels'];

const defineMetric =
  <Kind extends MetricKind>(kind: Kind, scope: Metric['scope']) =>
  (name: string, help: string, labels: Labels = {}): Metric<Kind> => ({ name, kind, help, labels, buckets: [], scope });

export const counter = defineMetric('counter', 'server');
export const gauge = defineMetric('gauge', 'server');
export const info = defineMetric('info', 'server');
/** Read from the store at each scrape. */
export const storeGauge = defineMetric('gauge', 'store');

/** From half a millisecond to ten seconds: requests and store queries. */
export const SHORT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** From ten milliseconds to five minutes: connections to hosts, and commands on them. */
export const LONG_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export const histogram = (name: string, help: string, buckets: readonly number[], labels: Labels = {}) => ({
  ...defineMetric('histogram', 'server')(name, help, labels),
  buckets,
});
