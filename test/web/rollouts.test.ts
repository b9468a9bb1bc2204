// A cluster is made, restarted and upgraded by somebody who has only the dashboard.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationAction } from '../../src/domain/vocabulary.ts';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { cell, Dashboard, openPage, PATIENT, row, signIn } from '../harness/browser/dashboard.ts';
import { PRIVATE_KEY } from '../harness/keys.ts';
import { ADMIN_PASSWORD } from '../harness/service.ts';
import { until } from '../harness/until.ts';

/** All that a script in the page can come by. */
const WITHIN_REACH = `(async () => JSON.stringify([
  { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href,
  await indexedDB.databases(), await caches.keys(), document.documentElement.outerHTML,
  [...document.querySelectorAll('input, textarea')].map(field => field.value),
]))()`;

const heading = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name });
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function addHosts(page: Page, cluster: string, addresses: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Enrol hosts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enrol hosts' });
  await dialog.getByLabel('Addresses').fill(addresses.join('\n'));
  await dialog.getByRole('button', { name: 'Paste the key instead' }).click();
  await dialog.getByLabel('Private key').fill(Buffer.from(PRIVATE_KEY, 'base64').toString());
  await dialog.getByLabel('Cluster').selectOption(cluster);
  await dialog.getByRole('button', { name: `Enrol ${addresses.length} hosts` }).click();
  await dialog.getByText(/Hostler is bootstrapping the hosts/).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
}

/** Presses a button that asks once more. */
async function pressSurely(page: Page, name: string, verb = name): Promise<void> {
  await page.getByRole('main').getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click();
}

const VERBS: Readonly<Partial<Record<OperationAction, string>>> = {
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel operation',
};

/** Which of pause, resume and cancel the page offers, as `can` would say it. */
async function offered(page: Page): Promise<string[]> {
  const shown = await Promise.all(
    Object.entries(VERBS).map(async ([verb, name]) => {
      const isShown = await page.getByRole('button', { name, exact: true }).isVisible();
      return isShown ? [verb] : [];
    }),
  );
  return shown.flat().sort();
}

const amountOf = async (meter: Locator) => Number(await meter.getAttribute('aria-valuenow'));

describeInBrowser('the dashboard', browser => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterAll(() => dashboard.stop());

  test('leads from the first sign-in to a cluster, its hosts and their restart', PATIENT, async () => {
    const addresses = ['127.90.0.1', '127.90.0.2', '127.90.0.3'];
    for (const address of addresses) dashboard.add(address, { os: 'debian' });
    const page = await openPage(browser(), dashboard.service.url);
    await signIn(page, 'admin', ADMIN_PASSWORD);

    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    await page.getByRole('button', { name: 'Create cluster' }).click();
    const creating = page.getByRole('dialog', { name: 'Create cluster' });
    await creating.getByLabel('Name').fill('web');
    await creating.getByRole('button', { name: 'Create cluster' }).click();
    await heading(page, /^web\b/).waitFor();

    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Hosts' })
      .click();
    await page.getByText('No hosts yet').waitFor();
    await addHosts(page, 'web', addresses);
    const hosts = page.getByRole('table', { name: 'Hosts' });
    for (const address of addresses) await row(hosts, address, 'Active', 'web').waitFor();

    await hosts.getByRole('link', { name: 'web' }).first().click();
    await page.getByRole('button', { name: 'Start operation' }).click();
    const starting = page.getByRole('dialog', { name: 'Start operation on web' });
    await starting.getByRole('radio', { name: /^Restart/ }).check();
    await starting.getByText('Policy', { exact: true }).click();
    await starting.getByLabel('Max unavailable').fill('3');
    await starting.getByLabel('Minimum healthy time (seconds)').fill('0');
    await starting.getByRole('button', { name: 'Preview' }).click();
    await starting.getByText('Nothing has started yet').waitFor();
    const plan = starting.getByRole('region', { name: 'Hosts in rollout order' });
    for (const address of addresses) await plan.getByText(address).waitFor();
    expect((await dashboard.service.client.listOperations()).body).toEqual([]);
    await starting.getByRole('button', { name: 'Restart 3 hosts' }).click();

    await heading(page, /^Restart of web\b/).waitFor();
    for (const address of addresses) await cell(page, address, 'done').waitFor();
    await heading(page, /\bFinished$/).waitFor();
    for (const address of addresses) expect(dashboard.host(address).boots).toHaveLength(2);

    const reached = await page.evaluate<string>(WITHIN_REACH);
    expect(reached).toContain('127.90.0.1');
    expect(reached).not.toContain(ADMIN_PASSWORD);
    expect(reached).not.toContain(PRIVATE_KEY.slice(0, 40));
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'hostler-session', httpOnly: true, sameSite: 'Strict' },
    ]);
    for (const { value } of cookies) expect(reached).not.toContain(value);
  });

  test('shows why a host has failed, and has it tried again', PATIENT, async () => {
    const [good, full] = ['127.91.0.1', '127.91.0.2'];
    await dashboard.makeCluster('db', { [good]: {}, [full]: { faults: [{ kind: 'disk_full' }] } });
    const id = await dashboard.begin('upgrade', 'db', { reboot: 'never', max_unavailable: 2 });
    const page = await dashboard.open(browser(), `/operations/${id}`);

    await cell(page, full, 'failed').click();
    const host = page.getByRole('complementary', { name: `Host ${full}` });
    const output = host.getByRole('region', { name: /^Output of .*, attempt 1$/ });
    await output.getByText(/E: You don't have enough free space/).waitFor();
    const { error } = (await dashboard.service.client.getOperationHost({ id, address: full })).body;
    await host.getByText(error ?? '', { exact: true }).waitFor();
    const failures = panel(page, 'Budget').getByRole('meter', { name: 'Failed' });
    await until('the budget shows the failure', async () => (await amountOf(failures)) === 1);
    await heading(page, /\bFailed$/).waitFor();

    dashboard.host(full).clearFaults('disk_full');
    await pressSurely(page, 'Retry failed hosts');
    await cell(page, full, 'done').waitFor();
    await heading(page, /\bFinished$/).waitFor();
    await host.getByText(/^Attempt 2, position 2/).waitFor();
    await until('the budget is whole again', async () => (await amountOf(failures)) === 0);
  });

  test(
    'pauses and resumes an operation, and offers what it can be asked for and nothing else',
    PATIENT,
    async () => {
      const addresses = ['127.92.0.1', '127.92.0.2', '127.92.0.3'];
      const [first = '', ...later] = addresses;
      const slow = { bootMs: 600_000 };
      await dashboard.makeCluster('cache', {
        [first]: slow,
        ...Object.fromEntries(later.map(each => [each, {}])),
      });
      const id = await dashboard.begin('restart', 'cache', { max_unavailable: 1 });
      const page = await dashboard.open(browser(), `/operations/${id}`);
      const expectOffered = (state: string) =>
        until(`what a ${state} operation can be asked for is offered`, async () => {
          const { can, state: now } = await dashboard.operation(id);
          const wanted = can.filter(verb => verb in VERBS).sort();
          return now === state && JSON.stringify(await offered(page)) === JSON.stringify(wanted);
        });

      await cell(page, first, 'rebooting').waitFor();
      await expectOffered('running');
      await page.getByRole('button', { name: 'Pause' }).click();
      await heading(page, /\bPaused$/).waitFor();
      await page.getByRole('region', { name: 'Operation state' }).getByText('Paused by a user.').waitFor();
      await expectOffered('paused');
      slow.bootMs = 0;
      dashboard.host(first).powerOff();
      dashboard.host(first).powerOn();
      await cell(page, first, 'done').waitFor();
      for (const address of later) await cell(page, address, 'staging').waitFor();
      for (const address of later) expect(dashboard.host(address).boots).toHaveLength(1);

      await page.getByRole('button', { name: 'Resume' }).click();
      for (const address of later) await cell(page, address, 'done').waitFor();
      await heading(page, /\bFinished$/).waitFor();
      await expectOffered('finished');
    },
  );

  test('shows what a step says while it still runs', PATIENT, async () => {
    const address = '127.93.0.1';
    await dashboard.makeCluster('slow', { [address]: { hostname: 'slow-1' } });
    const { talk } = dashboard;
    talk.hold('slow-1', /apt-get/);
    const id = await dashboard.begin('upgrade', 'slow', { reboot: 'never' });
    const page = await dashboard.open(browser(), `/operations/${id}?host=${address}`);
    const host = page.getByRole('complementary', { name: `Host ${address}` });
    await until('the step runs', () => talk.isRunning('slow-1'));
    for (const words of ['Reading package lists', 'Fetching 1 of 2', 'Fetching 2 of 2']) {
      talk.say('slow-1', `${words}\n`);
      await host.getByText(words).waitFor();
    }
    expect((await dashboard.operation(id)).hosts.map(({ state }) => state)).toEqual(['staging']);
    talk.end('slow-1');
    await heading(page, /\bFinished$/).waitFor();
  });
});
