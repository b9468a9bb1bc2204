// Roles and sessions in the dashboard.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { confirmPassword, connectionStatus, Dashboard, signIn } from '../harness/browser/dashboard.ts';
import type { DashboardPage } from '../harness/browser/dashboard-pages.ts';
import { createSampleData, navigateTo } from '../harness/browser/dashboard-pages.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';

/** Buttons that only change the view, and actions on the own account. */
const ALLOWED_FOR_ALL = [
  /^(Address|Hostname|Status|Cluster|OS)$/,
  /^(Grid|List|Timeline|\w+(, \w+)? \d+)$/,
  /^(People and programs|Health checks and system|Everything)$/,
  /^(Last hour|Last 24 hours|Last 7 days|Refresh)$/,
  /^(Apply filters|Load more|Close|Copy .*|Pause|.* : details of entry \d+)$/,
  /^(Change password|Sign out other sessions)$/,
];

/** Names of the enabled buttons of a page. */
async function enabledButtons(page: Page): Promise<string[]> {
  const snapshot = await page.getByRole('main').ariaSnapshot();
  const buttons = snapshot.replaceAll('\\"', "'").matchAll(/^ *- '?button(?: "(.*?)")?(.*)$/gm);
  return [...buttons].filter(([, , state = '']) => !state.includes('[disabled]')).map(([line, name]) => name ?? line);
}

/** Sends a request like a script of the page, with its cookie. */
const send = (page: Page, method: string, path: string): Promise<number> => {
  const options = { method, headers: { 'hostler-dashboard': '1' } };
  return page.evaluate(`fetch(${JSON.stringify(path)}, ${JSON.stringify(options)}).then(({ status }) => status)`);
};

describeInBrowser('dashboard with several accounts and sessions', browser => {
  let dashboard: Dashboard;
  let pages: readonly DashboardPage[];
  let viewer: string;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    pages = await createSampleData(dashboard);
    viewer = await dashboard.service.makeAccount('vera', 'viewer');
  });
  afterAll(() => dashboard.stop());

  test('offers viewers only permitted actions and sends no forbidden requests', async () => {
    const page = await dashboard.open(browser(), '/', { as: viewer });
    const forbidden: string[] = [];
    page.on('response', response => {
      if (response.status() === 403) forbidden.push(response.url());
    });
    const offered: string[] = [];
    for (const dashboardPage of pages) {
      await navigateTo(page, dashboardPage);
      for (const name of await enabledButtons(page))
        if (!ALLOWED_FOR_ALL.some(pattern => pattern.test(name))) offered.push(`${dashboardPage.path}: ${name}`);
    }
    expect(offered).toEqual([]);
    expect(forbidden).toEqual([]);
  });

  test('explains to viewers why an action is disabled, and the server rejects it too', async () => {
    const page = await dashboard.open(browser(), '/hosts', { as: viewer });
    const menu = page.getByRole('navigation', { name: 'Main navigation' });
    await menu.getByRole('link', { name: 'Networks' }).waitFor();
    for (const name of ['Enrolment tokens', 'Accounts', 'Webhooks'])
      expect(await menu.getByRole('link', { name }).count(), name).toBe(0);

    const createAccount = page.getByRole('button', { name: 'Enrol hosts', disabled: true });
    expect(await createAccount.getAttribute('title')).toMatch(/^Requires the \w+ or \w+ role\. Your role is viewer\.$/);
    await createAccount.click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
    for (const [path, title] of [
      ['/tokens', 'Enrolment tokens'],
      ['/accounts', 'Accounts'],
    ] as const) {
      await navigateTo(page, { path, title });
      await page.getByText(/^Requires the admin role\. Your role is viewer\./).waitFor();
    }

    expect(await send(page, 'GET', '/api/v0/hosts')).toBe(200);
    expect(await send(page, 'GET', '/api/v0/tokens')).toBe(403);
    expect(await send(page, 'DELETE', '/api/v0/cluster/web')).toBe(403);
  });

  test('asks for a new sign-in in a dialog when the session ends, and keeps the page', async () => {
    const page = await dashboard.open(browser(), '/clusters');
    await page.getByRole('button', { name: 'Create cluster' }).click();
    const form = page.getByRole('dialog', { name: 'Create cluster' });
    await form.getByLabel('Name').fill('unfinished');
    await dashboard.service.delete('/api/v0/user/admin/sessions');

    const signInDialog = page.getByRole('dialog', { name: 'Sign in again' });
    await signInDialog.waitFor();
    // Browsers close a dialog at the second Escape in any case.
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
    await signInDialog.waitFor();
    expect(await signInDialog.getByLabel('Account').inputValue()).toBe('admin');
    await signIn(page, 'admin', 'a wrong password');
    await signInDialog.getByRole('alert').waitFor();
    await signIn(page, 'admin', ADMIN_PASSWORD);
    await signInDialog.waitFor({ state: 'hidden' });
    await connectionStatus(page, 'Live').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('unfinished');
    await form.getByRole('button', { name: 'Create cluster' }).click();
    await page.getByRole('heading', { level: 1, name: /^unfinished\b/ }).waitFor();
  });

  test('asks for the password before creating an account, once in five minutes', async () => {
    const page = await dashboard.open(browser(), '/accounts');
    const createAccount = async (name: string) => {
      await page.getByRole('button', { name: 'Create account' }).click();
      const form = page.getByRole('dialog', { name: 'Create account' });
      await form.getByLabel('Name').fill(name);
      await form.getByLabel('Role').selectOption('operator');
      await form.getByLabel('Password').fill('new password');
      await form.getByRole('button', { name: 'Create account' }).click();
      return form;
    };
    const confirmation = page.getByRole('dialog', { name: 'Confirm your password' });

    const form = await createAccount('otto');
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await form.getByText('Nothing was changed because you did not confirm your password.').waitFor();
    expect(await page.getByRole('rowheader', { name: 'otto' }).count()).toBe(0);

    await form.getByRole('button', { name: 'Create account' }).click();
    await confirmPassword(page, 'a wrong password');
    await confirmation.getByRole('alert').waitFor();
    await confirmPassword(page);
    await page.getByRole('rowheader', { name: 'otto' }).waitFor();

    await createAccount('olga');
    await page.getByRole('rowheader', { name: 'olga' }).waitFor();
    expect(await confirmation.count()).toBe(0);
  });

  test('signs all tabs in and out together', async () => {
    const page = await dashboard.open(browser(), '/accounts');
    await page.getByRole('cell', { name: 'viewer', exact: true }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${dashboard.service.url}/accounts`);
    await other.getByRole('cell', { name: 'viewer', exact: true }).waitFor();

    await page.getByRole('button', { name: /^admin/ }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await tab.getByRole('table').count()).toBe(0);
    }

    const [user = '', password = ''] = viewer.split(':');
    await signIn(page, user, password);
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: /^vera/ }).waitFor();
      await tab.getByText(/^Requires the admin role\. Your role is viewer\./).waitFor();
      expect(await tab.getByRole('table').count()).toBe(0);
    }
  });

  test('signs out also in a browser that remembers the password', async () => {
    const httpCredentials = { username: 'admin', password: ADMIN_PASSWORD };
    const expectedErrors = [/ 401 .*\/metrics\)$/, / 404 .*\/settings\)$/];
    const page = await dashboard.open(browser(), '/', { httpCredentials, expectedErrors });
    const { url } = dashboard.service;
    // If the server sent a challenge, the browser would send the password and get access.
    expect((await page.goto(`${url}/metrics`))?.status()).toBe(401);
    expect((await page.goto(`${url}/settings`))?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    // A challenge to a script makes the browser remember the password.
    expect(await page.evaluate("fetch('/api/v0/hosts').then(({ status }) => status)")).toBe(200);

    await page.getByRole('button', { name: /^admin/ }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const userRequest = page.waitForRequest(`${url}/api/v0/user`);
    await page.goto(url);
    expect(await (await userRequest).headerValue('authorization')).toMatch(/^Basic /);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  test('does not overwrite an existing account when creating one', async () => {
    const page = await dashboard.open(browser(), '/accounts');
    await page.getByRole('button', { name: 'Create account' }).click();
    const form = page.getByRole('dialog', { name: 'Create account' });
    await form.getByLabel('Name').fill('vera');
    await form.getByLabel('Password').fill('other password');
    await form.getByRole('button', { name: 'Create account' }).click();
    await form.getByText('An account named vera already exists. Edit that account or choose another name.').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('vera');
    expect((await dashboard.service.get('/api/v0/hosts', { as: viewer })).status).toBe(200);
  });

  test('changes the role of an account and keeps its password', async () => {
    const as = await dashboard.service.makeAccount('rita', 'viewer');
    const page = await dashboard.open(browser(), '/accounts');
    await page.getByRole('button', { name: 'Edit account rita' }).click();
    const form = page.getByRole('dialog', { name: 'Edit account rita' });
    await form.getByLabel('Role').selectOption('operator');
    await form.getByRole('button', { name: 'Save account' }).click();
    await confirmPassword(page);
    await page.getByText('Account rita saved').waitFor();
    expect((await dashboard.service.get('/api/v0/user', { as })).body).toMatchObject({ role: 'operator' });
  });
});
