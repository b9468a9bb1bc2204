// Every page in both themes, without data and with it, and dialogs, against the rules of axe.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { Dashboard, openPage } from '../harness/browser/dashboard.ts';
import type { Place } from '../harness/browser/dashboard-pages.ts';
import { furnish, PLACES, visit } from '../harness/browser/dashboard-pages.ts';
import { expectAccessible } from '../harness/browser/expect-accessible.ts';

const THEMES = ['dark', 'light'] as const;
const LONG_MS = 300_000;

/** A dialog behind a button, or behind an entry of a menu. */
interface Opened {
  readonly path: string;
  readonly title: string;
  readonly press: readonly string[];
}

const DIALOGS: readonly Opened[] = [
  { path: '/clusters', title: 'Clusters', press: ['Create cluster'] },
  { path: '/clusters/web', title: 'web', press: ['Start operation'] },
  { path: '/clusters/web', title: 'web', press: ['Start operation', 'Preview'] },
  { path: '/clusters/web', title: 'web', press: ['More', 'Edit settings'] },
  { path: '/clusters/web', title: 'web', press: ['More', 'Generate user data'] },
  { path: '/clusters/web', title: 'web', press: ['More', 'Remove cluster'] },
  { path: '/hosts', title: 'Hosts', press: ['Enrol hosts'] },
  { path: '/hosts/127.94.0.1', title: '127.94.0.1', press: ['Start maintenance'] },
  { path: '/hosts/127.94.0.1', title: '127.94.0.1', press: ['More', 'Replace credentials'] },
  { path: '/hosts/127.94.0.1', title: '127.94.0.1', press: ['Edit labels'] },
  { path: '/networks', title: 'Networks', press: ['Create network'] },
  { path: '/container-managers', title: 'Container managers', press: ['Create container manager'] },
  { path: '/tokens', title: 'Enrolment tokens', press: ['Create token'] },
  { path: '/webhooks', title: 'Webhooks', press: ['Create webhook'] },
  { path: '/accounts', title: 'Accounts', press: ['Create account'] },
];

async function expectInBothThemes(page: Page, what: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `${what} in the ${colorScheme} theme`);
  }
}

async function expectEach(page: Page, places: readonly Place[]): Promise<void> {
  for (const place of places) {
    await visit(page, place);
    await expectInBothThemes(page, place.path);
  }
}

describeInBrowser('the dashboard', browser => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterAll(() => dashboard.stop());

  test('is accessible where nobody is signed in', async () => {
    const page = await openPage(browser(), dashboard.service.url);
    await page.getByLabel('Account').waitFor();
    await expectInBothThemes(page, 'signing in');
  });

  test('is accessible on every page while there is nothing', { timeout: LONG_MS }, async () => {
    const page = await dashboard.open(browser(), '/');
    await expectEach(page, PLACES);
  });

  describe('with something of everything', () => {
    let places: readonly Place[];
    beforeAll(async () => {
      places = await furnish(dashboard);
    });

    test('is accessible on every page', { timeout: LONG_MS }, async () => {
      const page = await dashboard.open(browser(), '/');
      await expectEach(page, places);
    });

    test('is accessible in dialogs', { timeout: LONG_MS }, async () => {
      const page = await dashboard.open(browser(), '/');
      for (const { press, ...place } of DIALOGS) {
        await visit(page, place);
        for (const name of press) await page.getByRole('button', { name, exact: true }).first().click();
        await page.getByRole('dialog').waitFor();
        await expectInBothThemes(page, `${place.path}, ${press.join(', ')}`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
    });
  });
});
