import { describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD, PRIVATE_KEY } from '../harness/credentials.ts';
import { OpenStream } from '../harness/events/event-streams.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import type { ParsedMetrics } from '../harness/monitoring/metrics-text.ts';
import { getValue, parseOpenMetrics, parsePrometheusText } from '../harness/monitoring/metrics-text.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { waitUntil } from '../harness/wait-until.ts';

const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

describeServer('metrics', service => {
  const read = async (): Promise<ParsedMetrics> =>
    parseOpenMetrics((await service().get('/metrics', { headers: { accept: OPEN_METRICS } })).text);
  const value = async (key: string) => getValue(await read(), key);

  test('are returned as OpenMetrics on request, otherwise in the Prometheus text format, with equal content', async () => {
    const open = await service().get('/metrics', { headers: { accept: OPEN_METRICS } });
    const prometheus = await service().get('/metrics');
    expect(open.headers.get('content-type')).toBe(OPEN_METRICS);
    expect(prometheus.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(prometheus.headers.get('vary')).toBe('accept');
    const [first, second] = [parseOpenMetrics(open.text), parsePrometheusText(prometheus.text)];
    const prometheusNames = [...second.keys()].map(name => name.replace(/_(total|info)$/, ''));
    expect(prometheusNames).toEqual([...first.keys()]);
    expect(getValue(first, 'hostler_store_up')).toBe(1);
    // The order of the requested formats does not matter: no names are lost.
    expect([...parsePrometheusText((await service().get('/metrics')).text).keys()]).toEqual([...second.keys()]);
  });

  test('count requests by route template', async () => {
    const keyOf = (method: string, route: string, code: number) =>
      `hostler_http_requests_total{method="${method}",route="${route}",code="${code}"}`;
    const created = keyOf('PUT', '/api/v0/host/{address}', 201);
    const before = (await value(created)) ?? 0;
    for (const address of ['127.1.7.1', '127.1.7.2'])
      await service().put(`/api/v0/host/${address}`, { ssh_priv_key: PRIVATE_KEY });
    await service().get('/api/v0/host/127.1.7.3');
    for (const unknownPath of ['/nowhere', '/api/v0/nowhere/../x', '/api/v1/hosts']) await service().get(unknownPath);
    await service().request('POST', '/api/v0/hosts');
    await service().get('/', { as: null });
    const after = await read();
    expect(getValue(after, created)).toBe(before + 2);
    expect(getValue(after, keyOf('GET', '/api/v0/host/{address}', 404))).toBe(1);
    expect(getValue(after, keyOf('GET', 'other', 404))).toBe(3);
    expect(getValue(after, keyOf('other', 'other', 405))).toBe(1);
    const durations = 'hostler_http_request_duration_seconds_count{method="PUT",route="/api/v0/host/{address}"}';
    expect(getValue(after, durations)).toBe(getValue(after, created));
  });

  test('count malformed requests without a duration', async () => {
    const countOf = (code: number) => `hostler_http_requests_total{method="other",route="other",code="${code}"}`;
    const durations = 'hostler_http_request_duration_seconds_count{method="other",route="other"}';
    const before = await read();
    for (const bytes of ['hello\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
      const connection = new RawConnection(service().url);
      connection.write(bytes);
      await connection.allResponses();
    }
    const after = await read();
    for (const code of [400, 431])
      expect(getValue(after, countOf(code))).toBe((getValue(before, countOf(code)) ?? 0) + 1);
    expect(getValue(after, durations)).toBe(getValue(before, durations));
  });

  test('count failed logins and password hashes', async () => {
    const failed = 'hostler_logins_failed_total{code="unauthorized"}';
    const hashes = 'hostler_password_hash_duration_seconds_count';
    const before = await read();
    await service().get('/api/v0/hosts', { as: 'unknown-account:password' });
    const after = await read();
    expect(getValue(after, failed)).toBe((getValue(before, failed) ?? 0) + 1);
    expect(getValue(after, hashes)).toBe((getValue(before, hashes) ?? 0) + 1);
    expect(getValue(after, 'hostler_password_hashes_pending')).toBe(0);
  });

  test('count hosts by cluster and status, and operations by kind and state', async () => {
    await service().makeCluster('web');
    await service().makeHosts('active', 'web', '127.1.8.1', '127.1.8.2', '127.1.8.3');
    await service().makeHosts('unreachable', undefined, '127.1.8.4');
    await service().makeHosts('failed', undefined, '127.1.8.5', '127.1.8.6');
    await service().put('/api/v0/host/127.1.8.5/maintenance', { on: true });
    await service().put('/api/v0/host/127.1.8.1/maintenance', { on: true });
    await service().put('/api/v0/cluster/web/restart');
    const metrics = await read();
    for (const [key, expected] of Object.entries({
      'hostler_hosts{cluster="web",status="active"}': 3,
      'hostler_hosts{cluster="web",status="failed"}': 0,
      'hostler_hosts{cluster="(none)",status="unreachable"}': 1,
      'hostler_hosts{cluster="(none)",status="failed"}': 2,
      'hostler_hosts_needing_attention{cluster="(none)",status="unreachable"}': 1,
      'hostler_hosts_needing_attention{cluster="(none)",status="failed"}': 1,
      'hostler_hosts_needing_attention{cluster="web",status="failed"}': 0,
      'hostler_hosts_in_maintenance{cluster="web"}': 1,
      hostler_clusters: 1,
      'hostler_operations_open{kind="restart",state="planned"}': 1,
      'hostler_operations_open{kind="upgrade",state="planned"}': 0,
      'hostler_operation_hosts{kind="restart",phase="pending"}': 3,
      hostler_operations_globally_paused: 0,
      'hostler_health_checker_state{state="off"}': 1,
    }))
      expect([key, getValue(metrics, key)]).toEqual([key, expected]);
    // Labels of removed hosts go back to 0.
    await service().delete('/api/v0/host/127.1.8.4');
    await service().put('/api/v0/pause');
    expect(await value('hostler_hosts{cluster="(none)",status="unreachable"}')).toBe(0);
    expect(await value('hostler_operations_globally_paused')).toBe(1);
  });

  test('count event subscribers and show the position of the event tail', async () => {
    const stream = await OpenStream.open(`${service().url}/api/v0/events`);
    await stream.waitFor('stream open');
    const metrics = await read();
    expect(getValue(metrics, 'hostler_event_subscribers')).toBe(1);
    expect(getValue(metrics, 'hostler_event_tail_position')).toBeGreaterThan(0);
    stream.close();
    await waitUntil('the subscriber is disconnected', async () => (await value('hostler_event_subscribers')) === 0);
    await waitUntil('the outbox is empty', async () => (await value('hostler_outbox_entries')) === 0);
  });

  test('contain no addresses, accounts or secrets', async () => {
    const viewer = await service().makeAccount('metrics-viewer', 'viewer', 'secret-marker');
    const { text } = await service().get('/metrics', { as: viewer });
    for (const needle of ['127.1.', 'metrics-viewer', 'secret-marker', ADMIN_PASSWORD, 'unknown-account', 'nowhere'])
      expect([needle, text.includes(needle)]).toEqual([needle, false]);
  });

  describe('store metrics', () => {
    test('count transactions by outcome, and the connections of PostgreSQL', async () => {
      const committed = 'hostler_store_transactions_total{outcome="committed"}';
      const failed = 'hostler_store_transactions_total{outcome="rolled_back"}';
      const before = await read();
      await service().makeCluster('db');
      await service().put('/api/v0/cluster/db', { network: 'nowhere' });
      const after = await read();
      expect(getValue(after, committed)).toBeGreaterThan(getValue(before, committed) ?? 0);
      expect(getValue(after, failed)).toBeGreaterThan(getValue(before, failed) ?? 0);
      expect(getValue(after, 'hostler_store_statement_duration_seconds_count')).toBeGreaterThan(
        getValue(before, 'hostler_store_statement_duration_seconds_count') ?? 0,
      );
      const busy = getValue(after, 'hostler_store_pool_connections{state="busy"}');
      expect(busy === undefined).toBe(service().database.kind === 'sqlite');
    });
  });
});
