// Whatever hosts say, and whatever was typed, is text on a page and nothing else.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { Dashboard, PATIENT } from '../harness/browser/dashboard.ts';
import type { Place } from '../harness/browser/dashboard-pages.ts';
import { scrollsSideways, visit } from '../harness/browser/dashboard-pages.ts';
import { until } from '../harness/until.ts';

const ADDRESS = '127.95.0.1';
const MARKUP = `<img src=x onerror="globalThis.hasRun=1"><script>globalThis.hasRun=1</script><b id=injected>bold</b>`;
const LINK = '[click](javascript:globalThis.hasRun=1)';
/** The colours of a terminal, a bell, and what turns the direction of writing. */
const CONTROL = '\u001b[31mred\u001b[0m\u0007\u202egnp.exe\u2066';
const LONG = 'x'.repeat(20_000);
const LONG_LABEL = { [`a${'b'.repeat(61)}c`]: `d${'e'.repeat(61)}f` };

const RAN = `globalThis.hasRun !== undefined || document.getElementById('injected') !== null ||
  [...document.images].some(image => image.getAttribute('src') === 'x')`;

describeInBrowser('the dashboard', browser => {
  let dashboard: Dashboard;
  let id: string;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    const { service, talk } = dashboard;
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
    talk.hold(hostname, /apt-get/);
    const isReady = async () => (await client.getHost({ address: ADDRESS })).body.status === 'active';
    await until('it is active again', isReady);
    const policy = {
      reboot: 'never',
      max_unavailable: 2,
      hosts: [ADDRESS],
      check: ['hostile', MARKUP, LINK],
    } as const;
    id = await dashboard.begin('upgrade', 'web', { ...policy, hosts: [ADDRESS], check: [...policy.check] });
    await until('the step runs', () => talk.isRunning(hostname));
    talk.say(hostname, `${MARKUP}\n${CONTROL}\n${LONG}\nend of it\n`);
  });
  afterAll(() => dashboard.stop());

  const expectText = async (page: Page) => {
    expect(await page.evaluate(RAN)).toBe(false);
    expect(await scrollsSideways(page)).toBe(false);
  };

  test('shows hostile output of a step as it is', PATIENT, async () => {
    const page = await dashboard.open(browser(), `/operations/${id}?host=${ADDRESS}`);
    const output = page.getByRole('region', { name: /^Output of/ });
    await output.getByText('end of it').waitFor();
    const text = await output.innerText();
    expect(text).toContain(MARKUP);
    expect(text).toContain(LONG);
    await expectText(page);
  });

  test(
    'shows hostile texts of hosts and people on every page, where they run nothing and break nothing',
    PATIENT,
    async () => {
      const page = await dashboard.open(browser(), '/', { viewport: { width: 1280, height: 800 } });
      const places: readonly (Place & { readonly text?: string })[] = [
        { path: '/', title: 'Overview' },
        { path: '/hosts', title: 'Hosts' },
        { path: `/hosts/${ADDRESS}`, title: ADDRESS, text: Object.values(LONG_LABEL)[0] ?? '' },
        { path: '/hosts/127.95.0.2', title: '127.95.0.2', text: MARKUP },
        { path: '/clusters/web', title: 'web' },
        { path: `/operations/${id}`, title: 'Upgrade of web' },
        { path: '/events', title: 'Events', text: MARKUP },
        { path: '/audit', title: 'Audit' },
      ];
      for (const { text, ...place } of places) {
        await visit(page, place);
        if (text !== undefined) await page.getByRole('main').getByText(text).first().waitFor();
        await expectText(page);
      }
    },
  );
});
