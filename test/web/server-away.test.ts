// The service is killed while people look on, and comes back.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { cell, openPage, PATIENT, pill, row, signIn } from '../harness/browser/dashboard.ts';
import { DashboardProcess } from '../harness/browser/dashboard-process.ts';
import { ADMIN_PASSWORD } from '../harness/service.ts';
import { until } from '../harness/until.ts';

/** So that a page can tell whether it is the one of before. */
const MARK = 'globalThis.isTheSamePage = true';
const IS_MARKED = 'globalThis.isTheSamePage === true';

describeInBrowser('tabs of one browser', browser => {
  let server: DashboardProcess;
  beforeAll(async () => {
    // A second stream would be refused.
    server = await DashboardProcess.start('web', 3, { HOSTLER_LIMIT_EVENT_SUBSCRIBERS: '1' });
  });
  afterAll(() => server.stop());

  test('outlive the service, share one stream of events, and miss nothing', PATIENT, async () => {
    const policy = { max_unavailable: 1, min_healthy_s: 0 };
    const { headers } = await server.client.putRestart({ name: 'web', body: { policy } });
    const id = headers.get('location')?.split('/').at(-1) ?? '';
    const operation = await openPage(browser(), `${server.url}/operations/${id}`, {
      // Of what is asked while it is away.
      expected: [/net::ERR_/],
    });
    await signIn(operation, 'admin', ADMIN_PASSWORD);
    const hosts = await operation.context().newPage();
    await hosts.goto(`${server.url}/hosts`);
    const tabs: readonly Page[] = [operation, hosts];
    for (const tab of tabs) await pill(tab, 'Live').waitFor();
    for (const tab of tabs) await tab.evaluate(MARK);
    const [first = '', second = '', last = ''] = server.addresses;
    await cell(operation, first, 'done').waitFor();
    const table = hosts.getByRole('table', { name: 'Hosts' });
    await row(table, last).waitFor();
    await hosts.waitForLoadState('networkidle');

    await server.kill();
    for (const tab of tabs) await pill(tab, 'Disconnected').waitFor();
    expect(await cell(operation, first, 'done').isVisible()).toBe(true);
    expect(await row(table, last).isVisible()).toBe(true);
    const places = hosts.getByRole('navigation', { name: 'Main navigation' });
    await places.getByRole('link', { name: 'Clusters' }).click();
    await hosts.getByRole('heading', { level: 1, name: 'Clusters' }).waitFor();
    await places.getByRole('link', { name: 'Hosts' }).click();
    await row(table, last).waitFor();

    await server.elsewhere(async client => {
      await client.putHostLabels({ address: second, body: { seen: 'meanwhile' } });
      await until(`${second} is done`, async () => {
        const { state } = (await client.getOperationHost({ id, address: second })).body;
        return state === 'done';
      });
    });
    await server.startAgain();
    for (const tab of tabs) await pill(tab, 'Live').waitFor();
    await row(table, second, 'seen=meanwhile').waitFor();
    await cell(operation, second, 'done').waitFor();
    for (const address of server.addresses) await cell(operation, address, 'done').waitFor();
    await operation.getByRole('heading', { level: 1, name: /\bFinished$/ }).waitFor();
    const { body } = await server.client.getOperation({ id });
    expect(body.hosts.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    for (const tab of tabs) expect(await tab.evaluate(IS_MARKED)).toBe(true);
  });
});
