// Who may do what in the dashboard, and what becomes of people whose session ends.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { confirmPassword, Dashboard, PATIENT, pill, signIn } from '../harness/browser/dashboard.ts';
import type { Place } from '../harness/browser/dashboard-pages.ts';
import { furnish, visit } from '../harness/browser/dashboard-pages.ts';
import { ADMIN_PASSWORD } from '../harness/service.ts';

/** Buttons that only show something else, and what everybody may do with their own account. */
const FOR_EVERYBODY = [
  /^(Address|Hostname|Status|Cluster|OS)$/,
  /^(Grid|List|Timeline|\w+(, \w+)? \d+)$/,
  /^(Last hour|Last 24 hours|Last 7 days|Refresh)$/,
  /^(Apply filters|Load more|Close|Copy .*|Pause|.* : details of entry \d+)$/,
  /^(Change password|Sign out other sessions)$/,
];

/** Names of what can be pressed on a page. */
async function pressable(page: Page): Promise<string[]> {
  const buttons = await page.getByRole('main').getByRole('button', { disabled: false }).all();
  const told = await Promise.all(buttons.map(button => button.ariaSnapshot()));
  return told.map(text => /^- '?button "(.*?)"/.exec(text.replaceAll('\\"', "'"))?.[1] ?? text);
}

/** As a script of the page would, with its cookie. */
const ask = (page: Page, method: string, path: string): Promise<number> => {
  const options = { method, headers: { 'hostler-dashboard': '1' } };
  return page.evaluate(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify(options)}).then(({ status }) => status)`,
  );
};

describeInBrowser('the dashboard', browser => {
  let dashboard: Dashboard;
  let places: readonly Place[];
  let viewer: string;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    places = await furnish(dashboard);
    viewer = await dashboard.service.makeAccount('vera', 'viewer');
  });
  afterAll(() => dashboard.stop());

  test(
    'offers viewers nothing that they may not, and asks for nothing that is refused',
    PATIENT,
    async () => {
      const page = await dashboard.open(browser(), '/', { as: viewer });
      const refused: string[] = [];
      page.on('response', response => {
        if (response.status() === 403) refused.push(response.url());
      });
      const offered: string[] = [];
      for (const place of places) {
        await visit(page, place);
        for (const name of await pressable(page))
          if (!FOR_EVERYBODY.some(pattern => pattern.test(name))) offered.push(`${place.path}: ${name}`);
      }
      expect(offered).toEqual([]);
      expect(refused).toEqual([]);
    },
  );

  test(
    'says to viewers why, where that would surprise them; the service refuses them as well',
    PATIENT,
    async () => {
      const page = await dashboard.open(browser(), '/hosts', { as: viewer });
      const menu = page.getByRole('navigation', { name: 'Main navigation' });
      await menu.getByRole('link', { name: 'Networks' }).waitFor();
      for (const name of ['Enrolment tokens', 'Accounts', 'Webhooks'])
        expect(await menu.getByRole('link', { name }).count(), name).toBe(0);

      const add = page.getByRole('button', { name: 'Enrol hosts', disabled: true });
      expect(await add.getAttribute('title')).toMatch(
        /^Requires the \w+ or \w+ role\. Your role is viewer\.$/,
      );
      await add.click({ force: true });
      expect(await page.getByRole('dialog').count()).toBe(0);
      for (const [path, title] of [
        ['/tokens', 'Enrolment tokens'],
        ['/accounts', 'Accounts'],
      ] as const) {
        await visit(page, { path, title });
        await page.getByText(/^Requires the admin role\. Your role is viewer\./).waitFor();
      }

      expect(await ask(page, 'GET', '/api/v0/hosts')).toBe(200);
      expect(await ask(page, 'GET', '/api/v0/tokens')).toBe(403);
      expect(await ask(page, 'DELETE', '/api/v0/cluster/web')).toBe(403);
    },
  );

  test(
    'has people sign in again on top of the page, when their session was ended elsewhere',
    PATIENT,
    async () => {
      const page = await dashboard.open(browser(), '/clusters');
      await page.getByRole('button', { name: 'Create cluster' }).click();
      const form = page.getByRole('dialog', { name: 'Create cluster' });
      await form.getByLabel('Name').fill('half-typed');
      await dashboard.service.delete('/api/v0/user/admin/sessions');

      const again = page.getByRole('dialog', { name: 'Sign in again' });
      await again.waitFor();
      // Browsers close a dialog by the second, whatever the page says.
      for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
      await again.waitFor();
      expect(await again.getByLabel('Account').inputValue()).toBe('admin');
      await signIn(page, 'admin', 'a wrong password');
      await again.getByRole('alert').waitFor();
      await signIn(page, 'admin', ADMIN_PASSWORD);
      await again.waitFor({ state: 'hidden' });
      await pill(page, 'Live').waitFor();
      expect(await form.getByLabel('Name').inputValue()).toBe('half-typed');
      await form.getByRole('button', { name: 'Create cluster' }).click();
      await page.getByRole('heading', { level: 1, name: /^half-typed\b/ }).waitFor();
    },
  );

  test('asks for the password before an account is added, once in five minutes', PATIENT, async () => {
    const page = await dashboard.open(browser(), '/accounts');
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Create account' }).click();
      const form = page.getByRole('dialog', { name: 'Create account' });
      await form.getByLabel('Name').fill(name);
      await form.getByLabel('Role').selectOption('operator');
      await form.getByLabel('Password').fill('of the new one');
      await form.getByRole('button', { name: 'Create account' }).click();
      return form;
    };
    const confirmation = page.getByRole('dialog', { name: 'Confirm your password' });

    const form = await add('otto');
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await form.getByText('Nothing was changed because you did not confirm your password.').waitFor();
    expect(await page.getByRole('rowheader', { name: 'otto' }).count()).toBe(0);

    await form.getByRole('button', { name: 'Create account' }).click();
    await confirmPassword(page, 'a wrong password');
    await confirmation.getByRole('alert').waitFor();
    await confirmPassword(page);
    await page.getByRole('rowheader', { name: 'otto' }).waitFor();

    await add('olga');
    await page.getByRole('rowheader', { name: 'olga' }).waitFor();
    expect(await confirmation.count()).toBe(0);
  });

  test('has all tabs of a browser agree on who is signed in', PATIENT, async () => {
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

  test('signs people out also of a browser that remembers their password', PATIENT, async () => {
    const httpCredentials = { username: 'admin', password: ADMIN_PASSWORD };
    const expected = [/ 401 .*\/metrics\)$/, / 404 .*\/settings\)$/];
    const page = await dashboard.open(browser(), '/', { httpCredentials, expected });
    const { url } = dashboard.service;
    // Asked for it, the browser would send it here and be let in.
    expect((await page.goto(`${url}/metrics`))?.status()).toBe(401);
    expect((await page.goto(`${url}/settings`))?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    // A script that is asked has it remember.
    expect(await page.evaluate("fetch('/api/v0/hosts').then(({ status }) => status)")).toBe(200);

    await page.getByRole('button', { name: /^admin/ }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const own = page.waitForRequest(`${url}/api/v0/user`);
    await page.goto(url);
    expect(await (await own).headerValue('authorization')).toMatch(/^Basic /);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  test('does not take over an account that is there when one is added', PATIENT, async () => {
    const page = await dashboard.open(browser(), '/accounts');
    await page.getByRole('button', { name: 'Create account' }).click();
    const form = page.getByRole('dialog', { name: 'Create account' });
    await form.getByLabel('Name').fill('vera');
    await form.getByLabel('Password').fill('mine now');
    await form.getByRole('button', { name: 'Create account' }).click();
    await form
      .getByText('An account named vera already exists. Edit that account or choose another name.')
      .waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('vera');
    expect((await dashboard.service.get('/api/v0/hosts', { as: viewer })).status).toBe(200);
  });
});
