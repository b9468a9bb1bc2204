// The files for Prometheus and Grafana in contrib/ use existing metrics and match the documents.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { routes } from '../src/contract/index.ts';
import type { RouteDefinition } from '../src/contract/route-definition.ts';
import { getErrorStatuses, getSuccessStatuses } from '../src/contract/route-definition.ts';
import { MAX_CLUSTERS } from '../src/server/metrics/fleet-metrics.ts';
import { METRIC_CATALOG } from '../src/server/metrics/metrics-service.ts';
import { findMetricNames } from './harness/monitoring/prometheus-checks.ts';
import { runTool } from './harness/programs/run-tool.ts';
import { describeWithPrograms } from './harness/vitest/conditional-suites.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const catalogue = Object.values(METRIC_CATALOG).flat();
/** Metric names in queries; `up` and `ALERTS` are built into Prometheus. */
const knownMetrics = new Set([
  'up',
  'ALERTS',
  ...catalogue.flatMap(({ name, kind }) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
]);
const unknownIn = (queries: readonly string[]) =>
  queries.flatMap(findMetricNames).filter(name => !knownMetrics.has(name));

test.each([
  ['up{job=~"x.*"} == 0', ['up']],
  ['sum by (job, le) (rate(a_bucket{x="y"}[5m])) / on (job) b > 0.5', ['a_bucket', 'b']],
  ['max by (kind) (a) unless on (kind) (changes(b[1h]) > 0) and c offset 5m', ['a', 'b', 'c']],
])('the metrics in %s are found', (query, names) => {
  expect(findMetricNames(query)).toEqual(names);
});

/** A step belongs to one or two kinds of tasks. */
const MAX_STEPS = 40;
/** For files of the dashboard and for unknown paths. */
const MAX_OTHER_CODES = 12;
const MAX_RESOURCES = 25;
/** Outcomes of a step. */
const OUTCOMES = 6;

describe('the number of series', () => {
  const seriesOf = (name: string) => {
    const { kind = '', buckets = [], labels = {} } = catalogue.find(metric => metric.name === name) ?? {};
    const closed = Object.values(labels).flatMap(values => (Array.isArray(values) ? [values.length] : []));
    const lines = kind === 'histogram' ? buckets.length + 3 : 1;
    return { closed: closed.reduce((product, count) => product * count, 1), lines };
  };
  const isClosed = (name: string) =>
    Object.values(catalogue.find(metric => metric.name === name)?.labels ?? {}).every(Array.isArray);
  const rows: readonly RouteDefinition[] = Object.values(routes);
  /** HEAD is served for every GET. */
  const methodsOf = ({ method }: RouteDefinition) => (method === 'GET' ? 2 : 1);
  const methods = seriesOf('hostler_http_requests_total').closed;
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

  const requestSeries =
    sum(rows.map(row => methodsOf(row) * new Set([...getSuccessStatuses(row), ...getErrorStatuses(row), 500]).size)) +
    methods * MAX_OTHER_CODES +
    (sum(rows.map(methodsOf)) + methods) * seriesOf('hostler_http_request_duration_seconds').lines;
  const stepSeries = MAX_STEPS * (OUTCOMES + seriesOf('hostler_task_step_duration_seconds').lines);
  const closedSeries = sum(
    catalogue
      .map(({ name }) => name)
      .filter(isClosed)
      .map(name => seriesOf(name).closed * seriesOf(name).lines),
  );
  const clusterSeries = sum(
    catalogue.filter(({ labels }) => 'cluster' in labels).map(({ name }) => seriesOf(name).closed),
  );
  const documented = read('docs/reference/metrics.md')
    .match(/begins, and at most ([\d,]+)[^;]+; ([\d,]+) of\nthese.*?up to ([\d,]+) more/s)
    ?.slice(1)
    .map(number => Number(number.replace(',', '')));

  test('is bounded as documented', () => {
    const [all = 0, requests = 0, clusters = 0] = documented ?? [];
    const maxSeries = requestSeries + stepSeries + closedSeries + clusterSeries + MAX_RESOURCES;
    for (const [bound, counted] of [
      [all, maxSeries],
      [requests, requestSeries],
      [clusters, (MAX_CLUSTERS + 1) * clusterSeries],
    ] as const) {
      expect(counted).toBeLessThanOrEqual(bound);
      expect(counted).toBeGreaterThan(0.9 * bound);
    }
  });
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

const rules: readonly Rule[] = parse(read('contrib/prometheus/alerts.yml')).groups.flatMap(
  (group: { readonly rules: readonly Rule[] }) => group.rules,
);

describe('the alert rules', () => {
  test('use existing metrics', () => {
    expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
  });

  test('have a severity, a description and an existing runbook', () => {
    const page = read('docs/admin/monitoring.md');
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(Object.keys(annotations)).toEqual(['summary', 'description', 'runbook']);
      expect(annotations['description']).toMatch(/^[A-Z].*\.$/);
      expect(annotations['runbook']).toBe(`docs/admin/monitoring.md#${alert.toLowerCase()}`);
      expect(page).toContain(`\n### ${alert}\n`);
    }
  });

  test('exclude requests that wait for hosts or other servers from the latency alert', () => {
    const { expr = '' } = rules.find(({ alert }) => alert === 'HostlerHighLatency') ?? {};
    const [, pattern = 'none'] = /route!~"([^"]+)"/.exec(expr) ?? [];
    const paths = new Set(Object.values(routes).map(({ path: route }) => route));
    expect([...paths].filter(route => new RegExp(`^(?:${pattern})$`).test(route)).sort()).toEqual([
      '/api/v0/containermanager/{name}/check',
      '/api/v0/host/{address}/creds',
      '/api/v0/network/{name}/check',
      '/api/v0/webhook/{name}/test',
    ]);
  });

  test('have a test case each in which they fire', () => {
    const cases = read('contrib/prometheus/alerts.test.yml');
    expect(rules.map(({ alert }) => alert).filter(alert => !cases.includes(`{alertname="${alert}"}`))).toEqual([]);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });
});

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[];
}

describe('the Grafana dashboard', () => {
  const dashboard = JSON.parse(read('contrib/grafana/hostler.json'));
  const panels: readonly Panel[] = dashboard.panels;
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  test('uses existing metrics of the selected installation', () => {
    expect(unknownIn(queries)).toEqual([]);
    expect(queries.length).toBeGreaterThan(40);
    expect(queries.filter(query => !query.includes('job="$job"'))).toEqual([]);
  });

  test('has a data source variable, unique panel ids and unique query ids', () => {
    expect(dashboard).toMatchObject({ uid: 'hostler', schemaVersion: 39 });
    const names = dashboard.templating.list.map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(['datasource', 'job', 'instance']);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { type, title, targets } of panels) {
      expect(title).not.toBe('');
      expect(type === 'row').toBe(targets === undefined);
      expect(new Set(targets?.map(({ refId }) => refId)).size).toBe(targets?.length ?? 0);
    }
  });

  test('has no overlapping panels', () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      expect([title, gridPos.x + gridPos.w <= 24]).toEqual([title, true]);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([title, taken.get(`${x} ${y}`)]).toEqual([title, undefined]);
          taken.set(`${x} ${y}`, title);
        }
    }
  });

  test('shows all metrics of the alert rules', () => {
    const shown = new Set(queries.flatMap(findMetricNames));
    expect(rules.flatMap(({ expr }) => findMetricNames(expr)).filter(name => !shown.has(name))).toEqual([]);
  });
});

describeWithPrograms('promtool', ['promtool'], () => {
  test('accepts the rules and the example configuration', async () => {
    const file = path.join(root, 'contrib/prometheus/prometheus.yml');
    // The password file is local.
    expect(await runTool(['promtool', 'check', 'config', '--syntax-only', file])).toContain('SUCCESS');
    expect(await runTool(['promtool', 'check', 'rules', file.replace('prometheus.yml', 'alerts.yml')])).toContain(
      `${rules.length} rules found`,
    );
  });
});
