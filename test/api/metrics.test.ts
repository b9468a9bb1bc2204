import { describe, expect, test } from 'vitest';
import { OpenStream } from '../harness/events/open-stream.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { PRIVATE_KEY } from '../harness/keys.ts';
import type { ReadMetrics } from '../harness/monitoring/metrics-text.ts';
import { readOpenMetrics, readPrometheusText, valueIn } from '../harness/monitoring/metrics-text.ts';
import { ADMIN_PASSWORD } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';
import { until } from '../harness/until.ts';
import { operationsOn } from './operations-on.ts';

const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

onEachStore('metrics', service => {
  const { path, makeCluster } = operationsOn(service);
  const read = async (): Promise<ReadMetrics> =>
    readOpenMetrics((await service().get('/metrics', { headers: { accept: OPEN_METRICS } })).text);
  const value = async (key: string) => valueIn(await read(), key);

  test('are OpenMetrics for whoever asks for it, and else the older form; both tell the same', async () => {
    const open = await service().get('/metrics', { headers: { accept: OPEN_METRICS } });
    const older = await service().get('/metrics');
    expect(open.headers.get('content-type')).toBe(OPEN_METRICS);
    expect(older.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(older.headers.get('vary')).toBe('accept');
    const [first, second] = [readOpenMetrics(open.text), readPrometheusText(older.text)];
    const older0 = [...second.keys()].map(name => name.replace(/_(total|info)$/, ''));
    expect(older0).toEqual([...first.keys()]);
    expect(valueIn(first, 'hostler_store_up')).toBe(1);
    // Whichever was asked for before: names are not lost.
    expect([...readPrometheusText((await service().get('/metrics')).text).keys()]).toEqual([
      ...second.keys(),
    ]);
  });

  test('count requests by the template of their path, whatever stands in it', async () => {
    const keyOf = (method: string, route: string, code: number) =>
      `hostler_http_requests_total{method="${method}",route="${route}",code="${code}"}`;
    const made = keyOf('PUT', '/api/v0/host/{address}', 201);
    const before = (await value(made)) ?? 0;
    for (const address of ['127.1.7.1', '127.1.7.2'])
      await service().put(`/api/v0/host/${address}`, { ssh_priv_key: PRIVATE_KEY });
    await service().get('/api/v0/host/127.1.7.3');
    for (const stray of ['/nowhere', '/api/v0/nowhere/../x', '/api/v1/hosts']) await service().get(stray);
    await service().request('POST', '/api/v0/hosts');
    await service().get('/', { as: null });
    const after = await read();
    expect(valueIn(after, made)).toBe(before + 2);
    expect(valueIn(after, keyOf('GET', '/api/v0/host/{address}', 404))).toBe(1);
    expect(valueIn(after, keyOf('GET', 'other', 404))).toBe(3);
    expect(valueIn(after, keyOf('other', 'other', 405))).toBe(1);
    const took = 'hostler_http_request_duration_seconds_count{method="PUT",route="/api/v0/host/{address}"}';
    expect(valueIn(after, took)).toBe(valueIn(after, made));
  });

  test('count what could not be read as a request, without a duration', async () => {
    const countOf = (code: number) =>
      `hostler_http_requests_total{method="other",route="other",code="${code}"}`;
    const took = 'hostler_http_request_duration_seconds_count{method="other",route="other"}';
    const before = await read();
    for (const bytes of ['hello\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
      const connection = new RawConnection(service().url);
      connection.write(bytes);
      await connection.answers();
    }
    const after = await read();
    for (const code of [400, 431])
      expect(valueIn(after, countOf(code))).toBe((valueIn(before, countOf(code)) ?? 0) + 1);
    expect(valueIn(after, took)).toBe(valueIn(before, took));
  });

  test('count logins that were refused, and the hashes that they cost', async () => {
    const refused = 'hostler_logins_failed_total{code="unauthorized"}';
    const hashes = 'hostler_password_hash_duration_seconds_count';
    const before = await read();
    await service().get('/api/v0/hosts', { as: 'nobody:whatever' });
    const after = await read();
    expect(valueIn(after, refused)).toBe((valueIn(before, refused) ?? 0) + 1);
    expect(valueIn(after, hashes)).toBe((valueIn(before, hashes) ?? 0) + 1);
    expect(valueIn(after, 'hostler_password_hashes_pending')).toBe(0);
  });

  test('count hosts by cluster and status, and operations by kind and state', async () => {
    await makeCluster('web');
    await service().makeHosts('active', 'web', '127.1.8.1', '127.1.8.2', '127.1.8.3');
    await service().makeHosts('unreachable', undefined, '127.1.8.4');
    await service().makeHosts('failed', undefined, '127.1.8.5', '127.1.8.6');
    await service().put('/api/v0/host/127.1.8.5/maintenance', { on: true });
    await service().put('/api/v0/host/127.1.8.1/maintenance', { on: true });
    await service().put(path('web', 'restart'));
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
      expect([key, valueIn(metrics, key)]).toEqual([key, expected]);
    // What is gone is not told any more.
    await service().delete('/api/v0/host/127.1.8.4');
    await service().put('/api/v0/pause');
    expect(await value('hostler_hosts{cluster="(none)",status="unreachable"}')).toBe(0);
    expect(await value('hostler_operations_globally_paused')).toBe(1);
  });

  test('count those who follow events, and how far this server knows them', async () => {
    const stream = await OpenStream.open(`${service().url}/api/v0/events`);
    await stream.has('stream open');
    const metrics = await read();
    expect(valueIn(metrics, 'hostler_event_subscribers')).toBe(1);
    expect(valueIn(metrics, 'hostler_event_tail_position')).toBeGreaterThan(0);
    stream.close();
    await until('the reader is gone', async () => (await value('hostler_event_subscribers')) === 0);
    await until('all is in the log', async () => (await value('hostler_outbox_entries')) === 0);
  });

  test('hold no address, no account and no secret', async () => {
    const viewer = await service().makeAccount('looks-at-numbers', 'viewer', 'a-word-to-find');
    const { text } = await service().get('/metrics', { as: viewer });
    for (const needle of [
      '127.1.',
      'looks-at-numbers',
      'a-word-to-find',
      ADMIN_PASSWORD,
      'nobody',
      'nowhere',
    ])
      expect([needle, text.includes(needle)]).toEqual([needle, false]);
  });

  describe('of the store', () => {
    test('tell how transactions end, and of PostgreSQL its connections', async () => {
      const committed = 'hostler_store_transactions_total{outcome="committed"}';
      const refused = 'hostler_store_transactions_total{outcome="rolled_back"}';
      const before = await read();
      await makeCluster('db');
      await service().put('/api/v0/cluster/db', { network: 'nowhere' });
      const after = await read();
      expect(valueIn(after, committed)).toBeGreaterThan(valueIn(before, committed) ?? 0);
      expect(valueIn(after, refused)).toBeGreaterThan(valueIn(before, refused) ?? 0);
      expect(valueIn(after, 'hostler_store_statement_duration_seconds_count')).toBeGreaterThan(
        valueIn(before, 'hostler_store_statement_duration_seconds_count') ?? 0,
      );
      const busy = valueIn(after, 'hostler_store_pool_connections{state="busy"}');
      expect(busy === undefined).toBe(service().place.kind === 'sqlite');
    });
  });
});
