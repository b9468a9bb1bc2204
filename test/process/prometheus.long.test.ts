// Debian's Prometheus scrapes a service on loopback, with what contrib/ has for it: its own scrape configuration, the rules, and what the
// dashboard asks for.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { describeUnless } from '../harness/describe-unless.ts';
import { freePort } from '../harness/hosts/loopback-address.ts';
import { runTool, tryTool } from '../harness/hosts/run-tool.ts';
import { metricsIn } from '../harness/monitoring/query-names.ts';
import { Daemon } from '../harness/programs/daemon.ts';
import { missingPrograms } from '../harness/programs/missing-programs.ts';
import { PROJECT } from '../harness/programs/process.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { makeCluster, newFleet } from '../harness/simulated-service.ts';
import { until } from '../harness/until.ts';

const missing = missingPrograms(['prometheus --version', 'promtool --version']);
const contrib = path.join(PROJECT, 'contrib');
const read = (file: string) => readFileSync(path.join(contrib, file), 'utf8');

/** A minute of theirs is a second of ours. */
const hastened = (rules: string) => rules.replace(/^( +for:) .*$/gm, '$1 1s');

/** Of what stands still on a service on SQLite without TLS, that nobody asks anything else of. */
const NOT_THERE = ['hostler_store_pool_connections', 'hostler_tls_certificate_expiry_timestamp_seconds'];

interface Answer {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: [number, string];
    }[];
  };
}

describeUnless(
  missing.length > 0 ? `there is no ${missing.join(', no ')}` : undefined,
  'it needs Prometheus',
  'a real Prometheus',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'prometheus-'));
    const fleet = newFleet();
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
      writeFileSync(path.join(folder, 'alerts.yml'), hastened(read('prometheus/alerts.yml')));
      const port = await freePort('127.0.0.1', 0);
      url = `http://127.0.0.1:${port}`;
      prometheus = new Daemon([
        'prometheus',
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ]);
      await prometheus.ready(async () => (await fetch(`${url}/-/ready`)).ok);
    });
    afterAll(async () => {
      await prometheus?.end();
      await service?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const query = async (expression: string) => {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
      const { data }: Answer = JSON.parse(await answer.text());
      return data.result;
    };

    test('is let in, and finds nothing wrong with what it reads', async () => {
      await until('the service is up', async () => (await query('up{job="hostler"} == 1')).length === 1);
      const targets = await (await fetch(`${url}/api/v1/targets`)).text();
      expect(targets).toContain('"lastError":""');
      expect(await query('hostler_build_info')).toHaveLength(1);
    });

    test('has every metric that the dashboard asks for, once hosts are worked on', async () => {
      await makeCluster(service, fleet, 'web', { '127.9.2.1': {}, '127.9.2.2': {} });
      const { panels } = JSON.parse(read('grafana/hostler.json'));
      const queries: string[] = panels.flatMap((panel: { targets?: readonly { expr: string }[] }) =>
        (panel.targets ?? []).map(({ expr }) => expr),
      );
      const names = [...new Set(queries.flatMap(metricsIn))].filter(name => !NOT_THERE.includes(name));
      let lacking = names;
      await until(
        () => `metrics are lacking: ${lacking.join(', ')}`,
        async () => {
          const answers = await Promise.all(lacking.map(name => query(`count(${name})`)));
          lacking = lacking.filter((_, index) => answers[index]?.length === 0);
          return lacking.length === 0;
        },
      );
      for (const expression of queries) {
        const asked = expression
          .replaceAll('$__rate_interval', '10s')
          .replaceAll('$job', 'hostler')
          .replaceAll('$instance', '.*');
        const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(asked)}`);
        expect([expression, answer.status]).toEqual([expression, 200]);
      }
    });

    test('fires the alert of a host that has failed, when there is one', async () => {
      const failed = () => query('ALERTS{alertstate="firing",alertname="HostlerHostsFailed"}');
      expect(await failed()).toEqual([]);
      await service.makeHosts('failed', 'web', '127.9.2.3');
      const [alert] = await until('it fires', async () => (await failed()).length > 0 && failed());
      expect(alert?.metric).toMatchObject({ cluster: 'web', job: 'hostler', severity: 'warning' });
    });

    test('has a tool that finds nothing to improve in the older form', async () => {
      const { text } = await service.get('/metrics');
      expect(await tryTool(['promtool', 'check', 'metrics'], { input: text })).toEqual({
        exitCode: 0,
        stdout: '',
        stderr: '',
      });
    });

    test('has a tool by which each rule fires when it should, and only then', async () => {
      await runTool(['promtool', 'test', 'rules', path.join(contrib, 'prometheus/alerts.test.yml')]);
    });
  },
);
