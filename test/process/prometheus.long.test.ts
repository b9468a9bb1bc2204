// Debian's Prometheus scrapes a service with the scrape configuration, rules and dashboard queries of
// contrib/.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { freePort } from '../harness/http/sockets.ts';
import { findMetricNames } from '../harness/monitoring/prometheus-checks.ts';
import { Daemon } from '../harness/programs/daemon.ts';
import { PROJECT } from '../harness/programs/process.ts';
import { runTool, tryTool } from '../harness/programs/run-tool.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';
import { waitUntil } from '../harness/wait-until.ts';

const PROGRAMS = ['prometheus', 'promtool'];
const contrib = path.join(PROJECT, 'contrib');
const read = (file: string) => readFileSync(path.join(contrib, file), 'utf8');

/** Shortens the `for` times of alerts to one second. */
const shortenDelays = (rules: string) => rules.replace(/^( +for:) .*$/gm, '$1 1s');

/** Metrics that do not exist on SQLite or without TLS. */
const UNAVAILABLE_METRICS = ['hostler_store_pool_connections', 'hostler_tls_certificate_expiry_timestamp_seconds'];

interface QueryResponse {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: [number, string];
    }[];
  };
}

describeWithPrograms('Prometheus', PROGRAMS, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'prometheus-'));
  const fleet = createFleet();
  let service: TestService;
  let prometheus: Daemon;
  let url: string;

  beforeAll(async () => {
    service = await startTestService('sqlite', {}, { transport: fleet.transport });
    const [username, password] = (await service.makeAccount('prometheus', 'viewer')).split(':');
    writeFileSync(path.join(folder, 'password'), password ?? '', { mode: 0o600 });
    const config = parse(read('prometheus/prometheus.yml'));
    config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
    Object.assign(config.scrape_configs[0], {
      scheme: 'http',
      basic_auth: { username, password_file: path.join(folder, 'password') },
      static_configs: [{ targets: [new URL(service.url).host] }],
    });
    writeFileSync(path.join(folder, 'prometheus.yml'), stringify(config));
    writeFileSync(path.join(folder, 'alerts.yml'), shortenDelays(read('prometheus/alerts.yml')));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    prometheus = new Daemon([
      'prometheus',
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    await prometheus.waitUntilReady(async () => (await fetch(`${url}/-/ready`)).ok);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const query = async (expression: string) => {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data }: QueryResponse = JSON.parse(await response.text());
    return data.result;
  };

  test('can log in and scrape the service without errors', async () => {
    await waitUntil('the service is up', async () => (await query('up{job="hostler"} == 1')).length === 1);
    const targets = await (await fetch(`${url}/api/v1/targets`)).text();
    expect(targets).toContain('"lastError":""');
    expect(await query('hostler_build_info')).toHaveLength(1);
  });

  test('has every metric of the dashboard after operations on hosts', async () => {
    await createActiveCluster(service.client, 'web', addHosts(fleet, ['127.9.2.1', '127.9.2.2']));
    const { panels } = JSON.parse(read('grafana/hostler.json'));
    const queries: string[] = panels.flatMap((panel: { targets?: readonly { expr: string }[] }) =>
      (panel.targets ?? []).map(({ expr }) => expr),
    );
    const names = [...new Set(queries.flatMap(findMetricNames))].filter(name => !UNAVAILABLE_METRICS.includes(name));
    let missingMetrics = names;
    await waitUntil(
      () => `missing metrics: ${missingMetrics.join(', ')}`,
      async () => {
        const results = await Promise.all(missingMetrics.map(name => query(`count(${name})`)));
        missingMetrics = missingMetrics.filter((_, index) => results[index]?.length === 0);
        return missingMetrics.length === 0;
      },
    );
    for (const expression of queries) {
      const expanded = expression
        .replaceAll('$__rate_interval', '10s')
        .replaceAll('$job', 'hostler')
        .replaceAll('$instance', '.*');
      const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expanded)}`);
      expect([expression, response.status]).toEqual([expression, 200]);
    }
  });

  test('fires the alert for a failed host', async () => {
    const failed = () => query('ALERTS{alertstate="firing",alertname="HostlerHostsFailed"}');
    expect(await failed()).toEqual([]);
    await service.makeHosts('failed', 'web', '127.9.2.3');
    const [alert] = await waitUntil('the alert fires', async () => (await failed()).length > 0 && failed());
    expect(alert?.metric).toMatchObject({ cluster: 'web', job: 'hostler', severity: 'warning' });
  });

  test('accepts the metrics in text format with promtool', async () => {
    const { text } = await service.get('/metrics');
    expect(await tryTool(['promtool', 'check', 'metrics'], { input: text })).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('passes the rule tests of promtool', async () => {
    await runTool(['promtool', 'test', 'rules', path.join(contrib, 'prometheus/alerts.test.yml')]);
  });
});
