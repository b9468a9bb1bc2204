// The server is killed and restarted while pages are open.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { connectionStatus, hostCell, hostnameOf, openPage, signIn, tableRow } from '../harness/browser/dashboard.ts';
import { DashboardProcess } from '../harness/browser/dashboard-process.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** Detects a page reload. */
const SET_MARK = 'globalThis.isSamePage = true';
const IS_MARKED = 'globalThis.isSamePage === true';

describeInBrowser('tabs of one browser', browser => {
  let server: DashboardProcess;
  beforeAll(async () => {
    // The server would reject a second stream.
    server = await DashboardProcess.start('web', 3, { HOSTLER_LIMIT_EVENT_SUBSCRIBERS: '1' });
  });
  afterAll(() => server.stop());

  test('reconnect after a server restart, share one event stream and miss no event', async () => {
    const policy = { max_unavailable: 1, min_healthy_s: 0 };
    const id = getOperationId(await server.client.putRestart({ name: 'web', body: { policy } }));
    const operation = await openPage(browser(), `${server.url}/operations/${id}`, {
      // Errors of requests during the outage.
      expectedErrors: [/net::ERR_/],
    });
    await signIn(operation, 'admin', ADMIN_PASSWORD);
    const hosts = await operation.context().newPage();
    await hosts.goto(`${server.url}/hosts`);
    const tabs: readonly Page[] = [operation, hosts];
    for (const tab of tabs) await connectionStatus(tab, 'Live').waitFor();
    for (const tab of tabs) await tab.evaluate(SET_MARK);
    const [first = '', second = '', last = ''] = server.addresses;
    await hostCell(operation, hostnameOf(first), 'done').waitFor();
    const table = hosts.getByRole('table', { name: 'Hosts' });
    await tableRow(table, last).waitFor();
    await hosts.waitForLoadState('networkidle');

    await server.kill();
    for (const tab of tabs) await connectionStatus(tab, 'Disconnected').waitFor();
    expect(await hostCell(operation, hostnameOf(first), 'done').isVisible()).toBe(true);
    expect(await tableRow(table, last).isVisible()).toBe(true);
    const navigation = hosts.getByRole('navigation', { name: 'Main navigation' });
    await navigation.getByRole('link', { name: 'Clusters' }).click();
    await hosts.getByRole('heading', { level: 1, name: 'Clusters' }).waitFor();
    await navigation.getByRole('link', { name: 'Hosts' }).click();
    await tableRow(table, last).waitFor();

    await server.runOnOtherPort(async client => {
      await client.putHostLabels({ address: second, body: { changed: 'offline' } });
      await waitUntil(`${second} is done`, async () => {
        const { state } = (await client.getOperationHost({ id, address: second })).body;
        return state === 'done';
      });
    });
    await server.restart();
    for (const tab of tabs) await connectionStatus(tab, 'Live').waitFor();
    await tableRow(table, second, 'changed=offline').waitFor();
    await hostCell(operation, hostnameOf(second), 'done').waitFor();
    for (const address of server.addresses) await hostCell(operation, hostnameOf(address), 'done').waitFor();
    await operation.getByRole('heading', { level: 1, name: /\bFinished$/ }).waitFor();
    const { body } = await server.client.getOperation({ id });
    expect(body.hosts.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    for (const tab of tabs) expect(await tab.evaluate(IS_MARKED)).toBe(true);
  });
});
