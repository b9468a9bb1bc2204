// What is counted while hosts are worked on and watched: the real engine with pretend hosts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebhookReceiver } from '../harness/events/webhook-receiver.ts';
import { readOpenMetrics, valueIn } from '../harness/monitoring/metrics-text.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { makeCluster, newFleet } from '../harness/simulated-service.ts';
import { until } from '../harness/until.ts';

describe('metrics of work', () => {
  const fleet = newFleet();
  let service: TestService;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    const settings = { HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true' };
    service = await startTestService('sqlite', settings, { transport: fleet.transport });
    await makeCluster(service, fleet, 'web', { '127.9.1.1': {}, '127.9.1.2': {} });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const read = async () =>
    readOpenMetrics(
      (await service.get('/metrics', { headers: { accept: 'application/openmetrics-text' } })).text,
    );
  const comesTo = (key: string, least: number) =>
    until(`${key} is ${least}`, async () => (valueIn(await read(), key) ?? 0) >= least);

  test('tell of hosts that were claimed, steps that were done, and connections that came about', async () => {
    const metrics = await read();
    const told = (key: string) => valueIn(metrics, key) ?? 0;
    expect(told('hostler_claims_total{kind="task"}')).toBeGreaterThanOrEqual(2);
    expect(told('hostler_task_steps_total{task="bootstrap",step="wait_for_ssh",outcome="done"}')).toBe(2);
    expect(told('hostler_task_step_duration_seconds_count{task="bootstrap",step="wait_for_ssh"}')).toBe(2);
    expect(told('hostler_ssh_connects_total{transport="injected",result="ok"}')).toBeGreaterThanOrEqual(2);
    expect(told('hostler_ssh_commands_total{transport="injected",result="ok"}')).toBeGreaterThanOrEqual(2);
    expect(told('hostler_servers')).toBe(1);
    expect(told('hostler_health_check_interval_seconds')).toBe(60);
    // A host becomes active a moment before its claim is released and its next check is due.
    await comesTo('hostler_health_checked_hosts', 2);
    expect(valueIn(await read(), 'hostler_health_checked_hosts')).toBe(2);
    const open = 'hostler_ssh_connections{transport="injected"}';
    await until('all are closed', async () => valueIn(await read(), open) === 0);
  });

  test('tell of messages to webhooks, and of webhooks that fail', async () => {
    await service.put('/api/v0/webhook/well', { url: `${receiver.url}/well`, secret: 'a secret of ours' });
    await service.put('/api/v0/webhook/away', { url: 'http://127.0.0.1:9/', secret: 'a secret of ours' });
    await service.put('/api/v0/network/one', { type: 'none', options: {} });
    await comesTo('hostler_webhook_deliveries_total{result="delivered"}', 1);
    await comesTo('hostler_webhook_deliveries_total{result="no_response"}', 1);
    await comesTo('hostler_webhooks{state="failing"}', 1);
    expect(valueIn(await read(), 'hostler_webhooks{state="active"}')).toBe(1);
  });
});
