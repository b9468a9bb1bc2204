// What contrib/ has for Prometheus and Grafana keeps to the metrics that there are, and to the documents.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CATALOGUE } from '../src/server/metrics/catalogue.ts';
import { describeUnless } from './harness/describe-unless.ts';
import { runTool } from './harness/hosts/run-tool.ts';
import { metricsIn } from './harness/monitoring/query-names.ts';
import { missingPrograms } from './harness/programs/missing-programs.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const catalogue = Object.values(CATALOGUE).flat();
/** Names as queries have them; `up` and `ALERTS` are Prometheus' own. */
const known = new Set([
  'up',
  'ALERTS',
  ...catalogue.flatMap(({ name, kind }) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
]);
const unknownIn = (queries: readonly string[]) => queries.flatMap(metricsIn).filter(name => !known.has(name));

test.each([
  ['up{job=~"x.*"} == 0', ['up']],
  ['sum by (job, le) (rate(a_bucket{x="y"}[5m])) / on (job) b > 0.5', ['a_bucket', 'b']],
  ['max by (kind) (a) unless on (kind) (changes(b[1h]) > 0) and c offset 5m', ['a', 'b', 'c']],
])('the metrics in %s are found', (query, names) => {
  expect(metricsIn(query)).toEqual(names);
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
  test('ask for metrics that there are', () => {
    expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
  });

  test('say what is wrong, how bad it is and what to do, and lead to a heading of the document', () => {
    const page = read('docs/reference/metrics.md');
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(Object.keys(annotations)).toEqual(['summary', 'description', 'runbook']);
      expect(annotations['description']).toMatch(/^[A-Z].*\.$/);
      expect(annotations['runbook']).toBe(`docs/reference/metrics.md#${alert.toLowerCase()}`);
      expect(page).toContain(`\n#### ${alert}\n`);
    }
  });

  test('are each tried by a case in which they fire', () => {
    const cases = read('contrib/prometheus/alerts.test.yml');
    expect(
      rules.map(({ alert }) => alert).filter(alert => !cases.includes(`{alertname="${alert}"}`)),
    ).toEqual([]);
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

describe('the dashboard', () => {
  const dashboard = JSON.parse(read('contrib/grafana/hostler.json'));
  const panels: readonly Panel[] = dashboard.panels;
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  test('asks for metrics that there are, of the installation that is chosen', () => {
    expect(unknownIn(queries)).toEqual([]);
    expect(queries.length).toBeGreaterThan(40);
    expect(queries.filter(query => !query.includes('job="$job"'))).toEqual([]);
  });

  test('is one that Grafana takes: a source of data to choose, ids of their own, queries by letters', () => {
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

  test('has its panels beside each other, none over another', () => {
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

  test('shows all that rules are about', () => {
    const shown = new Set(queries.flatMap(metricsIn));
    expect(rules.flatMap(({ expr }) => metricsIn(expr)).filter(name => !shown.has(name))).toEqual([]);
  });
});

const missing = missingPrograms(['promtool --version']);

describeUnless(
  missing.length > 0 ? 'there is no promtool' : undefined,
  'it needs Prometheus',
  'what promtool says',
  () => {
    test('of the rules and the example configuration: nothing is wrong', async () => {
      const file = path.join(root, 'contrib/prometheus/prometheus.yml');
      // The file with the password is somebody's own.
      expect(await runTool(['promtool', 'check', 'config', '--syntax-only', file])).toContain('SUCCESS');
      expect(
        await runTool(['promtool', 'check', 'rules', file.replace('prometheus.yml', 'alerts.yml')]),
      ).toContain(`${rules.length} rules found`);
    });
  },
);
