// Creates, restarts and upgrades clusters using only the dashboard.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationAction } from '../../src/domain/vocabulary.ts';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { Dashboard, hostCell, hostnameOf, openPage, signIn, tableRow } from '../harness/browser/dashboard.ts';
import { ADMIN_PASSWORD, PRIVATE_KEY } from '../harness/credentials.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** Everything that a script in the page can read. */
const READABLE_BY_SCRIPT = `(async () => JSON.stringify([
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

/** Presses a button and confirms its dialog. */
async function pressAndConfirm(page: Page, name: string, action = name): Promise<void> {
  await page.getByRole('main').getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
}

const ACTIONS: Readonly<Partial<Record<OperationAction, string>>> = {
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel operation',
};

/** The visible actions out of pause, resume and cancel, in the format of `can`. */
async function offeredActions(page: Page): Promise<string[]> {
  const visible = await Promise.all(
    Object.entries(ACTIONS).map(async ([action, name]) => {
      const isShown = await page.getByRole('button', { name, exact: true }).isVisible();
      return isShown ? [action] : [];
    }),
  );
  return visible.flat().sort();
}

const readMeter = async (meter: Locator) => Number(await meter.getAttribute('aria-valuenow'));

describeInBrowser('dashboard with operations', browser => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterAll(() => dashboard.stop());

  test('guides from the first sign-in to a cluster, its hosts and their restart', async () => {
    const addresses = ['127.90.0.1', '127.90.0.2', '127.90.0.3'];
    for (const address of addresses) dashboard.addHost(address, { os: 'debian' });
    const page = await openPage(browser(), dashboard.service.url);
    await signIn(page, 'admin', ADMIN_PASSWORD);

    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    await page.getByRole('button', { name: 'Create cluster' }).click();
    const creating = page.getByRole('dialog', { name: 'Create cluster' });
    await creating.getByLabel('Name').fill('web');
    await creating.getByRole('button', { name: 'Create cluster' }).click();
    await heading(page, /^web\b/).waitFor();

    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Hosts' }).click();
    await page.getByText('No hosts yet').waitFor();
    await addHosts(page, 'web', addresses);
    const hosts = page.getByRole('table', { name: 'Hosts' });
    for (const address of addresses) await tableRow(hosts, hostnameOf(address), 'Active', address, 'web').waitFor();

    await hosts.getByRole('link', { name: 'web' }).first().click();
    await page.getByRole('button', { name: 'Start operation' }).click();
    const starting = page.getByRole('dialog', { name: 'Start operation on web' });
    await starting.getByRole('radio', { name: /^Restart/ }).check();
    await starting.getByLabel('Max unavailable').fill('3');
    await starting.getByText('Advanced', { exact: true }).click();
    await starting.getByLabel('Minimum healthy time (seconds)').fill('0');
    await starting.getByRole('button', { name: 'Preview' }).click();
    await starting.getByText('Nothing has started yet').waitFor();
    const plan = starting.getByRole('region', { name: 'Hosts in rollout order' });
    for (const address of addresses) await plan.getByText(hostnameOf(address)).waitFor();
    expect((await dashboard.service.client.listOperations()).body).toEqual([]);
    await starting.getByRole('button', { name: 'Restart 3 hosts' }).click();

    await heading(page, /^Restart of web\b/).waitFor();
    for (const address of addresses) await hostCell(page, hostnameOf(address), 'done').waitFor();
    await heading(page, /\bFinished$/).waitFor();
    for (const address of addresses) expect(dashboard.host(address).boots).toHaveLength(2);

    const readable = await page.evaluate<string>(READABLE_BY_SCRIPT);
    expect(readable).toContain(hostnameOf('127.90.0.1'));
    expect(readable).not.toContain(ADMIN_PASSWORD);
    expect(readable).not.toContain(PRIVATE_KEY.slice(0, 40));
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'hostler-session', httpOnly: true, sameSite: 'Strict' },
    ]);
    for (const { value } of cookies) expect(readable).not.toContain(value);
  });

  test('shows why a host failed and retries it', async () => {
    const [good, full] = ['127.91.0.1', '127.91.0.2'];
    await dashboard.makeCluster('db', { [good]: {}, [full]: { faults: [{ kind: 'disk_full' }] } });
    const id = await dashboard.startOperation('upgrade', 'db', { reboot: 'never', max_unavailable: 2 });
    const page = await dashboard.open(browser(), `/operations/${id}`);

    await hostCell(page, hostnameOf(full), 'failed').click();
    const host = page.getByRole('complementary', { name: `Host ${hostnameOf(full)}` });
    const output = host.getByRole('region', { name: /^Output of .*, attempt 1$/ });
    await output.getByText(/E: You don't have enough free space/).waitFor();
    const { error } = (await dashboard.service.client.getOperationHost({ id, address: full })).body;
    await host.getByText(error ?? '', { exact: true }).waitFor();
    const failures = panel(page, 'Budget').getByRole('meter', { name: 'Failed' });
    await waitUntil('the budget shows the failure', async () => (await readMeter(failures)) === 1);
    await heading(page, /\bFailed$/).waitFor();

    dashboard.host(full).clearFaults('disk_full');
    await pressAndConfirm(page, 'Retry failed hosts');
    await hostCell(page, hostnameOf(full), 'done').waitFor();
    await heading(page, /\bFinished$/).waitFor();
    await host.getByText(/attempt 2, position 2/).waitFor();
    await waitUntil('the budget shows no failure', async () => (await readMeter(failures)) === 0);
  });

  test('shows a host as not started before all hosts of an ended operation are loaded', async () => {
    const [full, waiting] = ['127.94.0.1', '127.94.0.2'];
    await dashboard.makeCluster('late', { [full]: { faults: [{ kind: 'disk_full' }] }, [waiting]: {} });
    const { scriptedOutput } = dashboard;
    scriptedOutput.script(hostnameOf(waiting), /apt-get/);
    const id = await dashboard.startOperation('upgrade', 'late', { reboot: 'never' });
    const waitForStates = (...states: readonly string[]) =>
      waitUntil(`the states are ${states}`, async () => {
        const { state, hosts } = await dashboard.operation(id);
        return JSON.stringify([state, ...hosts.map(host => host.state)]) === JSON.stringify(states);
      });
    await waitForStates('running', 'failed', 'staging');
    scriptedOutput.finish(hostnameOf(waiting));
    await waitForStates('failed', 'failed', 'queued');
    const released = Promise.withResolvers<void>();
    const page = await dashboard.open(browser(), `/operations/${id}?host=${waiting}`, {
      prepare: async opened => {
        await opened.route(`**/operation/${id}?limit=5000`, async route => {
          await released.promise;
          await route.continue();
        });
      },
    });
    const host = page.getByRole('complementary', { name: `Host ${hostnameOf(waiting)}` });
    for (const text of [/Not started$/, 'Not started.']) await host.getByText(text).waitFor();
    expect(await page.getByRole('gridcell').count()).toBe(0);
    released.resolve();
    await hostCell(page, hostnameOf(waiting), 'not started').waitFor();
    await host.getByText(/Not started$/).waitFor();
  });

  test('pauses and resumes an operation and offers exactly the allowed actions', async () => {
    const addresses = ['127.92.0.1', '127.92.0.2', '127.92.0.3'];
    const [first = '', ...others] = addresses;
    const slow = { bootMs: 600_000 };
    await dashboard.makeCluster('cache', {
      [first]: slow,
      ...Object.fromEntries(others.map(address => [address, {}])),
    });
    const id = await dashboard.startOperation('restart', 'cache', { max_unavailable: 1 });
    const page = await dashboard.open(browser(), `/operations/${id}`);
    const expectOffered = (state: string) =>
      waitUntil(`the page offers the actions of a ${state} operation`, async () => {
        const { can, state: currentState } = await dashboard.operation(id);
        const expected = can.filter(action => action in ACTIONS).sort();
        return currentState === state && JSON.stringify(await offeredActions(page)) === JSON.stringify(expected);
      });

    await hostCell(page, hostnameOf(first), 'rebooting').waitFor();
    await expectOffered('running');
    await page.getByRole('button', { name: 'Pause' }).click();
    await heading(page, /\bPaused$/).waitFor();
    await page.getByRole('region', { name: 'Operation state' }).getByText('Paused by a user.').waitFor();
    await expectOffered('paused');
    slow.bootMs = 0;
    dashboard.host(first).powerOff();
    dashboard.host(first).powerOn();
    await hostCell(page, hostnameOf(first), 'done').waitFor();
    for (const address of others) await hostCell(page, hostnameOf(address), 'queued').waitFor();
    for (const address of others) expect(dashboard.host(address).boots).toHaveLength(1);

    await page.getByRole('button', { name: 'Resume' }).click();
    for (const address of others) await hostCell(page, hostnameOf(address), 'done').waitFor();
    await heading(page, /\bFinished$/).waitFor();
    await expectOffered('finished');
  });

  test('shows the output of a running step', async () => {
    const address = '127.93.0.1';
    await dashboard.makeCluster('slow', { [address]: { hostname: 'slow-1' } });
    const { scriptedOutput } = dashboard;
    scriptedOutput.script('slow-1', /apt-get/);
    const id = await dashboard.startOperation('upgrade', 'slow', { reboot: 'never' });
    const page = await dashboard.open(browser(), `/operations/${id}?host=${address}`);
    const host = page.getByRole('complementary', { name: 'Host slow-1' });
    await waitUntil('the step runs', () => scriptedOutput.isRunning('slow-1'));
    for (const line of ['Reading package lists', 'Fetching 1 of 2', 'Fetching 2 of 2']) {
      scriptedOutput.write('slow-1', `${line}\n`);
      await host.getByText(line).waitFor();
    }
    expect((await dashboard.operation(id)).hosts.map(({ state }) => state)).toEqual(['staging']);
    scriptedOutput.finish('slow-1');
    await heading(page, /\bFinished$/).waitFor();
  });
});
