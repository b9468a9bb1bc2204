// Text from hosts and users must never be interpreted as markup or script.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { Dashboard, hostnameOf } from '../harness/browser/dashboard.ts';
import type { DashboardPage } from '../harness/browser/dashboard-pages.ts';
import { navigateTo, scrollsHorizontally } from '../harness/browser/dashboard-pages.ts';
import { waitUntil } from '../harness/wait-until.ts';

const ADDRESS = '127.95.0.1';
const MARKUP = `<img src=x onerror="globalThis.hasRun=1"><script>globalThis.hasRun=1</script><b id=injected>bold</b>`;
const LINK = '[click](javascript:globalThis.hasRun=1)';
/** Terminal colours, a bell, and bidirectional control characters. */
const CONTROL = '\u001b[31mred\u001b[0m\u0007\u202egnp.exe\u2066';
const LONG = 'x'.repeat(20_000);
const LONG_LABEL = { [`a${'b'.repeat(61)}c`]: `d${'e'.repeat(61)}f` };

const HAS_RUN = `globalThis.hasRun !== undefined || document.getElementById('injected') !== null ||
  [...document.images].some(image => image.getAttribute('src') === 'x')`;

describeInBrowser('dashboard with untrusted text', browser => {
  let dashboard: Dashboard;
  let id: string;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    const { service, scriptedOutput } = dashboard;
    const { client } = service;
    const hostname = `${MARKUP}${CONTROL}`;
    await dashboard.makeCluster('web', { [ADDRESS]: { hostname }, '127.95.0.2': {} });
    dashboard.host(ADDRESS).machine.osRelease = `ID=debian\nPRETTY_NAME="${MARKUP}"\nNAME="${LONG}"\n`;
    await client.bootstrapHost({ address: ADDRESS, body: {} });
    await client.putHostLabels({ address: ADDRESS, body: LONG_LABEL });
    await client.putHostMaintenance({
      address: '127.95.0.2',
      body: { on: true, reason: `${MARKUP} ${'y'.repeat(100)}` },
    });
    scriptedOutput.script(hostname, /apt-get/);
    const isReady = async () => (await client.getHost({ address: ADDRESS })).body.status === 'active';
    await waitUntil('the host is active again', isReady);
    const policy = {
      reboot: 'never',
      max_unavailable: 2,
      hosts: [ADDRESS],
      check: ['hostile', MARKUP, LINK],
    } as const;
    id = await dashboard.startOperation('upgrade', 'web', {
      ...policy,
      hosts: [ADDRESS],
      check: [...policy.check],
    });
    await waitUntil('the step runs', () => scriptedOutput.isRunning(hostname));
    scriptedOutput.write(hostname, `${MARKUP}\n${CONTROL}\n${LONG}\nend of output\n`);
  });
  afterAll(() => dashboard.stop());

  const expectText = async (page: Page) => {
    expect(await page.evaluate(HAS_RUN)).toBe(false);
    expect(await scrollsHorizontally(page)).toBe(false);
  };

  test('shows hostile step output as text', async () => {
    const page = await dashboard.open(browser(), `/operations/${id}?host=${ADDRESS}`);
    const output = page.getByRole('region', { name: /^Output of/ });
    await output.getByText('end of output').waitFor();
    const text = await output.innerText();
    expect(text).toContain(MARKUP);
    expect(text).toContain(LONG);
    await expectText(page);
  });

  test('shows hostile text of hosts and users as text on every page and keeps the layout', async () => {
    const page = await dashboard.open(browser(), '/', { viewport: { width: 1280, height: 800 } });
    const pages: readonly (DashboardPage & { readonly text?: string })[] = [
      { path: '/', title: 'Overview' },
      { path: '/hosts', title: 'Hosts' },
      { path: `/hosts/${ADDRESS}`, title: ADDRESS, text: Object.values(LONG_LABEL)[0] ?? '' },
      { path: '/hosts/127.95.0.2', title: hostnameOf('127.95.0.2'), text: MARKUP },
      { path: '/clusters/web', title: 'web' },
      { path: `/operations/${id}`, title: 'Upgrade of web' },
      { path: '/events', title: 'Events', text: MARKUP },
      { path: '/audit', title: 'Audit' },
    ];
    for (const { text, ...dashboardPage } of pages) {
      await navigateTo(page, dashboardPage);
      if (text !== undefined) await page.getByRole('main').getByText(text).first().waitFor();
      await expectText(page);
    }
  });
});
