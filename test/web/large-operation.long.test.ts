// Restarts 1,000 simulated hosts and measures in a real browser how long it takes until a saved step is
// shown.

import { loadavg } from 'node:os';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import { buildWeb } from '../../tools/build/web.js';
import { createActiveCluster } from '../harness/active-cluster.ts';
import type { TestBrowser } from '../harness/browser/browser.ts';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { quantile } from '../harness/browser/browser-trace.ts';
import { connectionStatus, signIn } from '../harness/browser/dashboard.ts';
import { computeLags, getRenderedSteps, OBSERVE_CELLS, toSavedSteps } from '../harness/browser/render-latency.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { OpenStream } from '../harness/events/event-streams.ts';
import { PROJECT } from '../harness/programs/process.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { hostAddress } from '../harness/stores/large-fleet.ts';
import { waitUntil } from '../harness/wait-until.ts';

const HOSTS = 1000;
const SECOND_MS = 1000;
const DEADLINE_MS = 240_000;
/** Boot time of fast machines. */
const BOOT_MS = 5000;
const POLICY = { max_unavailable: 100, stage_parallel: 100, min_healthy_s: 0 };
/** All cells are visible. */
const VIEWPORT = { width: 1600, height: 1600 };
/** Preflight, armed, rebooting, verifying, done. */
const MIN_STEPS = 4 * HOSTS;

async function makeCluster({ client }: TestService, fleet: ReturnType<typeof createFleet>): Promise<void> {
  const addresses = Array.from({ length: HOSTS }, (_, index) => hostAddress(index));
  // Cells start with the hostname, and events contain the address.
  const hosts = addresses.flatMap(address => addHosts(fleet, [address], { hostname: address, bootMs: BOOT_MS }));
  await createActiveCluster(client, 'web', hosts, { deadlineMs: DEADLINE_MS });
}

/**
 * Starts a restart and pauses it as soon as possible, so that the page is open before most hosts start. Hosts
 * that have already started continue.
 */
async function startPaused({ client }: TestService): Promise<string> {
  const id = getOperationId(await client.putRestart({ name: 'web', body: { policy: POLICY } }));
  await waitUntil('the operation can be paused', async () =>
    (await client.getOperation({ id, query: { limit: 1 } })).body.can.includes('pause'),
  );
  await client.pauseOperation({ id, body: {} });
  return id;
}

async function openOperation(browser: TestBrowser, { url }: TestService, id: string): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.addInitScript({ content: OBSERVE_CELLS });
  await page.goto(`${url}/operations/${id}`);
  await signIn(page, 'admin', ADMIN_PASSWORD);
  await connectionStatus(page, 'Live').waitFor();
  await waitUntil('all cells are rendered', async () => (await page.locator('[role=gridcell]').count()) === HOSTS);
  return page;
}

describeInBrowser(`operation page with ${HOSTS} hosts`, browser => {
  const fleet = createFleet();
  let service: TestService;
  beforeAll(async () => {
    await buildWeb(PROJECT);
    service = await startTestService('sqlite', {}, { transport: fleet.transport });
    await makeCluster(service, fleet);
  });
  afterAll(() => service.stop());

  test('shows every step within a second after it is saved', async () => {
    const id = await startPaused(service);
    const page = await openOperation(browser(), service, id);
    const stream = await OpenStream.open(`${service.url}/api/v0/events`);
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    await service.client.resumeOperation({ id, body: {} });
    // Waits for the event because polling the operation would load the server.
    const isOver = () => stream.messages.some(({ type }) => type === 'operation.ended');
    await waitUntil('the operation has ended', isOver, DEADLINE_MS);
    await page
      .locator('[role=gridcell][data-phase-group=done]')
      .nth(HOSTS - 1)
      .waitFor();
    const seconds = (performance.now() - startedAt) / SECOND_MS;
    const { user, system } = process.cpuUsage(cpuBefore);
    stream.close();
    const lags = computeLags(toSavedSteps(stream.messages), await getRenderedSteps(page));
    const ms = [0.5, 0.95, 0.99, 1].map(share => quantile(lags, share).toFixed(0)).join(', ');
    process.stdout.write(
      `${lags.length} steps in ${seconds.toFixed(1)} s, shown after (p50, p95, p99, worst): ${ms} ms; the server used ${((user + system) / 1e6).toFixed(1)} s of CPU; load ${loadavg()[0]?.toFixed(1)}\n`,
    );
    expect(lags.length).toBeGreaterThanOrEqual(MIN_STEPS);
    expect(lags.filter(lag => lag > SECOND_MS)).toEqual([]);
  });
});
