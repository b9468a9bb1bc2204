// Checks every page in both themes, with and without data, and all dialogs with axe.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { describeInBrowser, expectAccessible } from '../harness/browser/browser.ts';
import { Dashboard, openPage } from '../harness/browser/dashboard.ts';
import type { DashboardPage } from '../harness/browser/dashboard-pages.ts';
import { createSampleData, navigateTo, PAGES } from '../harness/browser/dashboard-pages.ts';

const THEMES = ['dark', 'light'] as const;
const LONG_MS = 300_000;

/** A dialog that opens from a button or a menu entry. */
interface DialogCase {
  readonly path: string;
  readonly title: string;
  readonly press: readonly string[];
}

const DIALOGS: readonly DialogCase[] = [
  { path: '/clusters', title: 'Clusters', press: ['Create cluster'] },
  { path: '/clusters/web', title: 'web', press: ['Start operation'] },
  { path: '/clusters/web', title: 'web', press: ['Start operation', 'Preview'] },
  { path: '/clusters/web', title: 'web', press: ['More', 'Edit settings'] },
  { path: '/clusters/web', title: 'web', press: ['More', 'Generate user data'] },
  { path: '/clusters/web', title: 'web', press: ['More', 'Remove cluster'] },
  { path: '/hosts', title: 'Hosts', press: ['Enrol hosts'] },
  { path: '/hosts/127.94.0.1', title: 'host-127-94-0-1', press: ['Start maintenance'] },
  { path: '/hosts/127.94.0.1', title: 'host-127-94-0-1', press: ['More', 'Replace credentials'] },
  { path: '/hosts/127.94.0.1', title: 'host-127-94-0-1', press: ['Edit labels'] },
  { path: '/networks', title: 'Networks', press: ['Create network'] },
  { path: '/container-managers', title: 'Container managers', press: ['Create container manager'] },
  { path: '/tokens', title: 'Enrolment tokens', press: ['Create token'] },
  { path: '/webhooks', title: 'Webhooks', press: ['Create webhook'] },
  { path: '/accounts', title: 'Accounts', press: ['Create account'] },
];

async function expectInBothThemes(page: Page, label: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `${label} in the ${colorScheme} theme`);
  }
}

async function expectEachAccessible(page: Page, pages: readonly DashboardPage[]): Promise<void> {
  for (const dashboardPage of pages) {
    await navigateTo(page, dashboardPage);
    await expectInBothThemes(page, dashboardPage.path);
  }
}

describeInBrowser('dashboard accessibility', browser => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterAll(() => dashboard.stop());

  test('sign-in page is accessible', async () => {
    const page = await openPage(browser(), dashboard.service.url);
    await page.getByLabel('Account').waitFor();
    await expectInBothThemes(page, 'sign-in page');
  });

  test('every page is accessible without data', { timeout: LONG_MS }, async () => {
    const page = await dashboard.open(browser(), '/');
    await expectEachAccessible(page, PAGES);
  });

  describe('with data', () => {
    let pages: readonly DashboardPage[];
    beforeAll(async () => {
      pages = await createSampleData(dashboard);
    });

    test('every page is accessible', { timeout: LONG_MS }, async () => {
      const page = await dashboard.open(browser(), '/');
      await expectEachAccessible(page, pages);
    });

    test('every dialog is accessible', { timeout: LONG_MS }, async () => {
      const page = await dashboard.open(browser(), '/');
      for (const { press, ...dashboardPage } of DIALOGS) {
        await navigateTo(page, dashboardPage);
        for (const name of press) await page.getByRole('button', { name, exact: true }).first().click();
        await page.getByRole('dialog').waitFor();
        await expectInBothThemes(page, `${dashboardPage.path}, ${press.join(', ')}`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
    });
  });
});
