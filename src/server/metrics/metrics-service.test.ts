import { afterAll, describe, expect, test } from 'vitest';
import { parsePrometheusText } from '../../../test/harness/monitoring/metrics-text.ts';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { Store } from '../../store/store.ts';
import type { Metric } from './metric.ts';
import { METRIC_CATALOG, startMetrics } from './metrics-service.ts';

const all = Object.values(METRIC_CATALOG).flat();

/** See https://prometheus.io/docs/practices/naming/ */
const RULES: readonly (readonly [string, (metric: Metric) => boolean])[] = [
  ['has a lower-case name', ({ name }) => /^[a-z]+(_[a-z0-9]+)+$/.test(name)],
  ['begins with hostler or a prefix of the Prometheus clients', ({ name }) => /^(hostler|process|nodejs)_/.test(name)],
  [
    'ends with _total if it is a counter, and only then',
    ({ name, kind }) => name.endsWith('_total') === (kind === 'counter'),
  ],
  ['ends with _info if it is an info, and only then', ({ name, kind }) => name.endsWith('_info') === (kind === 'info')],
  [
    'ends with its unit, a base unit',
    ({ name }) =>
      !/_(seconds|bytes)_(?!total$)/.test(name) && !/_(ms|milliseconds|minutes|kb|kib|mb|percent)(_|$)/.test(name),
  ],
  ['is in seconds if it is a histogram', ({ name, kind }) => kind !== 'histogram' || name.endsWith('_seconds')],
  ['has no reserved suffix', ({ name }) => !/_(count|sum|bucket|created)$/.test(name)],
  ['has a help text of one line that ends with a full stop', ({ help }) => /^[A-Z][^\n"\\]+\.$/.test(help)],
  ['has lower-case labels', ({ labels }) => Object.keys(labels).every(label => /^[a-z]+$/.test(label))],
  [
    'has no reserved label',
    ({ labels }) => !Object.keys(labels).some(label => ['le', 'quantile', 'job', 'instance'].includes(label)),
  ],
  [
    'has ascending buckets if it is a histogram, and only then',
    ({ kind, buckets }) =>
      kind === 'histogram'
        ? buckets.length > 3 && buckets.every((bound, index) => index === 0 || bound > (buckets[index - 1] ?? 0))
        : buckets.length === 0,
  ],
];

describe('every metric', () => {
  test.each(RULES)('%s', (_rule, isMet) => {
    expect(all.filter(metric => !isMet(metric)).map(({ name }) => name)).toEqual([]);
  });

  test('is defined once', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });
});

describe('metrics exporter', () => {
  const metrics = startMetrics('1.2.3', '0001-x');
  afterAll(() => metrics.stop());
  let queries = 0;
  const failingQuery = async () => {
    queries += 1;
    throw new StoreUnavailableError(undefined);
  };
  const { render: scrape } = metrics.createExporter({
    store: { reads: { nowMs: failingQuery } as unknown as Store['reads'] },
    healthReport: failingQuery,
    subscriberCount: () => 0,
    eventPosition: () => 7,
  });

  test('reads the store once for simultaneous scrapes, and again for a later scrape', async () => {
    await Promise.all([scrape('openmetrics'), scrape('prometheus'), scrape('openmetrics')]);
    expect(queries).toBe(1);
    await scrape('prometheus');
    expect(queries).toBe(2);
  });

  test('exports exactly the metrics of the catalogue, also while the store is unavailable', async () => {
    const read = parsePrometheusText(await scrape('prometheus'));
    expect([...read.keys()].sort()).toEqual(all.map(({ name }) => name).sort());
    expect(read.get('hostler_store_up')?.samples.get('hostler_store_up')).toBe(0);
    const storeMetrics = all.filter(metric => metric.scope === 'store');
    expect(storeMetrics.filter(({ name }) => (read.get(name)?.samples.size ?? 0) > 0)).toEqual([]);
    expect(storeMetrics.length).toBeGreaterThan(10);
  });
});
