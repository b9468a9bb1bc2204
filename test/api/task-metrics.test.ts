// Runs the real engine with simulated hosts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { WebhookReceiver } from '../harness/events/webhook-receiver.ts';
import { getValue, parseOpenMetrics } from '../harness/monitoring/metrics-text.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { waitUntil } from '../harness/wait-until.ts';

describe('task metrics', () => {
  const fleet = createFleet();
  let service: TestService;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    const settings = { HOSTLER_WEBHOOK_ALLOW_PRIVATE: 'true' };
    service = await startTestService('sqlite', settings, { transport: fleet.transport });
    await createActiveCluster(service.client, 'web', addHosts(fleet, ['127.9.1.1', '127.9.1.2']));
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const read = async () =>
    parseOpenMetrics((await service.get('/metrics', { headers: { accept: 'application/openmetrics-text' } })).text);
  const waitForValue = (key: string, minimum: number) =>
    waitUntil(`${key} is ${minimum}`, async () => (getValue(await read(), key) ?? 0) >= minimum);

  test('count claims, steps, connections and commands', async () => {
    const metrics = await read();
    const value = (key: string) => getValue(metrics, key) ?? 0;
    expect(value('hostler_claims_total{kind="task"}')).toBeGreaterThanOrEqual(2);
    expect(value('hostler_task_steps_total{task="bootstrap",step="wait_for_ssh",outcome="done"}')).toBe(2);
    expect(value('hostler_task_step_duration_seconds_count{task="bootstrap",step="wait_for_ssh"}')).toBe(2);
    expect(value('hostler_ssh_connects_total{transport="injected",result="ok"}')).toBeGreaterThanOrEqual(2);
    expect(value('hostler_ssh_commands_total{transport="injected",result="ok"}')).toBeGreaterThanOrEqual(2);
    expect(value('hostler_servers')).toBe(1);
    expect(value('hostler_health_check_interval_seconds')).toBe(60);
    // A host becomes active shortly before the engine releases its claim and schedules its next check.
    await waitForValue('hostler_health_checked_hosts', 2);
    expect(getValue(await read(), 'hostler_health_checked_hosts')).toBe(2);
    const open = 'hostler_ssh_connections{transport="injected"}';
    await waitUntil('all connections are closed', async () => getValue(await read(), open) === 0);
  });

  test('count webhook deliveries and failing webhooks', async () => {
    await service.put('/api/v0/webhook/reachable', {
      url: `${receiver.url}/reachable`,
      secret: 'a webhook secret',
    });
    await service.put('/api/v0/webhook/unreachable', {
      url: 'http://127.0.0.1:9/',
      secret: 'a webhook secret',
    });
    await service.put('/api/v0/network/one', { type: 'none', options: {} });
    await waitForValue('hostler_webhook_deliveries_total{result="delivered"}', 1);
    await waitForValue('hostler_webhook_deliveries_total{result="no_response"}', 1);
    await waitForValue('hostler_webhooks{state="failing"}', 1);
    expect(getValue(await read(), 'hostler_webhooks{state="active"}')).toBe(1);
  });
});
