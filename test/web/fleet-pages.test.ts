// Finding hosts, acting on selected hosts, and the facts of a host.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { Dashboard, tableRow } from '../harness/browser/dashboard.ts';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import { waitUntil } from '../harness/wait-until.ts';

const PHONE = { width: 390, height: 844 };
const heading = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name });
const searchField = (page: Page) =>
  page.getByRole('combobox', { name: 'Search hosts, clusters, operations and actions' });
const option = (page: Page, name: string | RegExp) => page.getByRole('listbox').getByRole('option', { name });

describeInBrowser('dashboard with a fleet of hosts', browser => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    await dashboard.makeCluster('edge', {
      '127.95.0.1': { hostname: 'edge-1' },
      '127.95.0.2': { hostname: 'edge-2' },
      '127.95.0.3': { hostname: 'edge-3' },
    });
    await dashboard.makeCluster('web', { '127.95.1.1': { hostname: 'web-1' } });
    await dashboard.service.client.putHostLabels({ address: '127.95.0.2', body: { rack: 'r12' } });
  });
  afterAll(() => dashboard.stop());

  test('finds hosts, clusters, operations and actions with the keyboard', async () => {
    const page = await dashboard.open(browser(), '/');
    await page.keyboard.press('/');
    await searchField(page).fill('r12');
    await option(page, /^edge-2/).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, /^edge-2\b/).waitFor();
    expect(new URL(page.url()).pathname).toBe('/hosts/127.95.0.2');

    await page.keyboard.press('Control+k');
    await searchField(page).fill('upgrade web');
    await option(page, 'Upgrade web').waitFor();
    await page.keyboard.press('Enter');
    const starting = page.getByRole('dialog', { name: 'Start operation on web' });
    expect(await starting.getByRole('radio', { name: /^Upgrade/ }).isChecked()).toBe(true);
    // Keys that a user types in a dialog do not open another one.
    await page.keyboard.press('/');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');

    await page.keyboard.press('/');
    await searchField(page).fill('edge');
    await option(page, /^edge-3/).waitFor();
    await page.getByRole('group', { name: 'Clusters' }).getByRole('option', { name: 'edge' }).click();
    await heading(page, /^edge\b/).waitFor();
    await page.keyboard.press('/');
    await searchField(page).fill('no such thing');
    await page.getByText('No results').waitFor();
    await page.keyboard.press('Escape');

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Show this list').waitFor();
  });

  test('shows the same table of hosts on all pages, and restarts the selected hosts', async () => {
    const page = await dashboard.open(browser(), '/hosts');
    const hosts = page.getByRole('table', { name: 'Hosts' });
    await tableRow(hosts, 'edge-1', 'Active', '127.95.0.1', 'edge').waitFor();
    const columns = (await hosts.getByRole('columnheader').allInnerTexts()).map(text => text.replace(/\W/g, ''));
    expect(columns.slice(1)).toEqual(['Hostname', 'Status', 'Address', 'Cluster', 'OS', 'CPUs', 'Memory', 'Labels']);

    await hosts.getByRole('checkbox', { name: 'Select edge-1' }).check();
    await hosts.getByRole('checkbox', { name: 'Select web-1' }).check();
    const restart = page.getByRole('button', { name: 'Restart', exact: true });
    expect(await restart.getAttribute('title')).toBe('Select hosts of one cluster.');
    await page.getByRole('button', { name: 'Clear selection' }).click();

    await hosts.getByRole('link', { name: 'edge', exact: true }).first().click();
    const members = page.getByRole('table', { name: 'Members of edge' });
    for (const name of ['edge-1', 'edge-2']) await members.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('status').getByText('2 hosts selected').waitFor();
    await restart.click();
    const dialog = page.getByRole('dialog', { name: 'Start operation on edge' });
    expect(await dialog.getByLabel('Addresses').inputValue()).toBe('127.95.0.1\n127.95.0.2');
    await dialog.getByText(/^edge-1, edge-2\./).waitFor();
    // The values that apply to empty fields, and their source.
    expect(await dialog.getByLabel('Max unavailable').getAttribute('placeholder')).toBe('1 host (default)');
    expect(await dialog.getByLabel('Minimum healthy time (seconds)').isVisible()).toBe(false);
    await dialog.getByText('Advanced', { exact: true }).click();
    expect(await dialog.getByLabel('Minimum healthy time (seconds)').getAttribute('placeholder')).toBe(
      '0 (cluster policy)',
    );
    await dialog.getByLabel('Max unavailable').fill('none');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Enter a number from 1 to 1,000,000 or a percentage from 1% to 100%').waitFor();
    await dialog.getByLabel('Max unavailable').fill('');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Restarts 2 of 3 hosts of edge, one at a time.').waitFor();
    await dialog.getByRole('button', { name: 'Restart 2 hosts' }).click();
    await heading(page, /^Restart of edge\b.*Finished$/).waitFor();
    const boots = ['127.95.0.1', '127.95.0.2', '127.95.0.3'].map(address => dashboard.host(address).boots.length);
    expect(boots).toEqual([2, 2, 1]);

    // The next plan has an estimate from this restart.
    await page.goto(`${dashboard.service.url}/clusters/edge`);
    await page.getByRole('button', { name: 'Start operation' }).click();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Restarts all 3 hosts of edge, one at a time, about a minute.').waitFor();
  });

  test('shows the facts of a host', async () => {
    const page = await dashboard.open(browser(), '/hosts/127.95.1.1');
    const facts = page.getByRole('region', { name: 'Facts' });
    await facts.getByText('x86_64').waitFor();
    const rows = await facts.locator('dl > div').allInnerTexts();
    const values = Object.fromEntries(rows.map(text => text.split('\n')));
    expect(values).toMatchObject({
      Hostname: 'web-1',
      OS: 'Debian GNU/Linux 12 (bookworm)',
      Architecture: 'x86_64',
      'Boots seen': '1',
    });
    expect(values['Kernel']).toMatch(/^6\.1\./);
    expect(values['Last contact']).toMatch(/ ago$|just now/);
    expect(values['Last boot']).toMatch(/ \(up (\d+[dhms] ?)+\)$/);
  });

  test('queues prepared hosts, and counts only hosts that are done as progress', async () => {
    const slow = { bootMs: 600_000, hostname: 'db-1' };
    await dashboard.makeCluster('db', {
      '127.95.2.1': slow,
      '127.95.2.2': { hostname: 'db-2' },
      '127.95.2.3': { hostname: 'db-3' },
    });
    const id = await dashboard.startOperation('restart', 'db');
    const page = await dashboard.open(browser(), `/operations/${id}`);
    for (const name of ['db-2', 'db-3'])
      await page.getByRole('gridcell', { name: new RegExp(`^${name}, queued,`) }).waitFor();
    const progress = page.getByRole('region', { name: 'Progress' });
    await progress.getByText('1 in flight, 2 queued').waitFor();
    await progress.getByText('0%', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Queued 2$/ }).waitFor();
    await page.getByRole('gridcell', { name: /^db-2,/ }).click();
    await page.getByRole('complementary', { name: 'Host db-2' }).getByText('waiting for a slot').waitFor();
    const phases = page.getByRole('complementary', { name: 'Host db-2' }).getByRole('listitem');
    await phases.filter({ hasText: 'Queued' }).waitFor();
    expect(await phases.filter({ hasText: 'Staging' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Skip this host' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Skip this host' }).click();
    await progress.getByText('1 skipped, 1 in flight, 1 queued').waitFor();
    dashboard.host('127.95.2.1').powerOff();
    slow.bootMs = 0;
    dashboard.host('127.95.2.1').powerOn();
    await heading(page, /\bFinished$/).waitFor();
    await progress.getByText('2 done, 1 skipped').waitFor();
  });

  test('opens the audit log with what people did', async () => {
    const page = await dashboard.open(browser(), '/audit');
    const entries = page.getByRole('table', { name: /Audit log entries/ });
    await entries.getByText(/^Cluster web created/).waitFor();
    const statusChange = entries.getByText(/Host web-1.* active/);
    expect(await statusChange.count()).toBe(0);
    await page.getByRole('button', { name: 'Health checks and system' }).click();
    await statusChange.first().waitFor();
    expect(await statusChange.first().getByRole('link', { name: 'web-1' }).getAttribute('title')).toBe('127.95.1.1');
    expect(await entries.getByText(/^Cluster web created/).count()).toBe(0);
    await page.getByRole('button', { name: 'Everything' }).click();
    await entries.getByText(/^Cluster web created/).waitFor();
    const types = page.getByLabel('Event type');
    expect(await types.locator('option').allInnerTexts()).toEqual(
      expect.arrayContaining(['Any', 'Sign-in failed', 'Cluster created']),
    );
    await types.selectOption({ label: 'Cluster policy changed' });
    await waitUntil('the filter applies', async () => (await entries.getByText(/^Cluster web created/).count()) === 0);
  });

  test('filters the audit log and the events by hostname', async () => {
    const page = await dashboard.open(browser(), '/audit');
    const entries = page.getByRole('table', { name: /Audit log entries/ });
    const field = page.getByRole('search').getByLabel('Host', { exact: true });
    await field.fill('web-99');
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await page.getByText('No host has the hostname web-99.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('web-1');
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await entries.getByText('Host web-1 enrolled').waitFor();
    await waitUntil('the filter applies', async () => (await entries.getByText('Host edge-1 enrolled').count()) === 0);
    expect(new URL(page.url()).searchParams.get('host')).toBe('127.95.1.1');
    expect(await field.inputValue()).toBe('web-1');
    expect(await page.getByText('No host has the hostname').count()).toBe(0);

    await page.goto(`${dashboard.service.url}/events`);
    const events = page.getByRole('list', { name: 'Events, newest first' });
    await events.getByText('Host edge-1 enrolled').waitFor();
    await field.fill('web-99');
    await field.press('Enter');
    await page.getByText('No host has the hostname web-99.').waitFor();
    await field.fill('WEB-1');
    await field.press('Enter');
    await events.getByText('Host web-1 enrolled').waitFor();
    await waitUntil('the filter applies', async () => (await events.getByText('Host edge-1 enrolled').count()) === 0);
    await waitUntil('the field has the hostname', async () => (await field.inputValue()) === 'web-1');
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('host');
    await page.goBack();
    await events.getByText('Host edge-1 enrolled').waitFor();
    expect(await field.inputValue()).toBe('');
  });

  test('a cleared host filter stays cleared when the server finds the host later', async () => {
    const page = await dashboard.open(browser(), '/events?cluster=web');
    const released = Promise.withResolvers<void>();
    await page.route('**/api/v0/hosts?*hostname=*', async route => {
      await released.promise;
      await route.continue();
    });
    const field = page.getByRole('search').getByLabel('Host', { exact: true });
    await field.fill('web-1');
    const response = page.waitForResponse(/hostname=web-1/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    released.resolve();
    await response;
    const events = page.getByRole('list', { name: 'Events, newest first' });
    await events.getByText('Host edge-1 enrolled').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await field.inputValue()).toBe('');
  });

  test('has a menu on a phone', async () => {
    const page = await dashboard.open(browser(), '/', { viewport: PHONE });
    const link = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Audit log' });
    expect(await link.isVisible()).toBe(false);
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    await link.click();
    await heading(page, /^Audit log/).waitFor();
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Search' }).click();
    await searchField(page).waitFor();
  });

  test('enrols a host by its DNS name and shows the address', async () => {
    const page = await dashboard.open(browser(), '/hosts');
    dashboard.addHost('127.95.3.1', { os: 'debian', hostname: 'named-1' });
    await page.getByRole('button', { name: 'Enrol hosts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enrol hosts' });
    await dialog.getByRole('button', { name: 'Enrol host' }).click();
    await dialog.getByText('Enter the addresses.').waitFor();
    await dialog.getByText('Select the private key.').waitFor();
    expect(await dialog.locator(':focus').getAttribute('name')).toBe('addresses');
    await dialog.getByLabel('Addresses').fill('unknown.example.com');
    expect(await dialog.getByText('Enter the addresses.').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Paste the key instead' }).click();
    await dialog.getByLabel('Private key').fill(Buffer.from(PRIVATE_KEY, 'base64').toString());
    await dialog.getByRole('button', { name: 'Enrol host' }).click();
    await dialog.getByText('unknown.example.com has no address that this server can find.').waitFor();
    expect(await dialog.getByLabel('Addresses').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Addresses').fill('named-1.example.com');
    await dialog.getByRole('button', { name: 'Enrol host' }).click();
    await dialog.getByRole('list', { name: 'Resolved names' }).getByText('named-1.example.com is 127.95.3.1').waitFor();
    await page.keyboard.press('Escape');
    await tableRow(page.getByRole('table', { name: 'Hosts' }), 'named-1', '127.95.3.1').waitFor();
  });
});
