// Keyboard use, screen readers and phones. accessibility.long.test.ts checks every page in both themes.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectAccessible } from '../harness/browser/browser.ts';
import { confirmPassword, connectionStatus, Dashboard, openPage } from '../harness/browser/dashboard.ts';
import type { DashboardPage } from '../harness/browser/dashboard-pages.ts';
import { createSampleData, navigateTo, scrollsHorizontally } from '../harness/browser/dashboard-pages.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';

const PHONE = { width: 390, height: 844 };
const SCREEN = { width: 1280, height: 800 };
const FOCUSED = `(({ activeElement: at }) => at?.ariaLabel ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? '')(document)`;
const MAX_TABS = 60;

interface InvalidInput {
  readonly path: string;
  readonly presses: readonly string[];
  /** Values by label; the last one is invalid. */
  readonly typed: readonly (readonly [label: string, text: string])[];
  readonly verb: string;
  /** The server requires the password first. */
  readonly needsConfirmation?: true;
  /** The error below the invalid field. */
  readonly expectedError: RegExp;
}

const INVALID_INPUTS: readonly InvalidInput[] = [
  {
    path: '/hosts/127.94.0.1',
    presses: ['Edit labels'],
    typed: [['Labels', 'ring=first\n-a=b']],
    verb: 'Save labels',
    expectedError: /^-a must be 1 to 63 characters/,
  },
  {
    path: '/hosts/127.94.0.1',
    presses: ['Start maintenance'],
    typed: [['Reason', 'x'.repeat(257)]],
    verb: 'Start maintenance',
    expectedError: /^Must be one line of up to 256 characters/,
  },
  {
    path: '/hosts/127.94.0.1',
    presses: ['More', 'Replace credentials', 'Paste the key'],
    typed: [['Private key', 'no key']],
    verb: 'Test and replace',
    needsConfirmation: true,
    expectedError: /^This is not a private key/,
  },
  {
    path: '/hosts',
    presses: ['Enrol hosts', 'Paste the key'],
    typed: [
      ['Addresses', '127.94.0.50'],
      ['Private key', 'no key'],
    ],
    verb: 'Enrol host',
    expectedError: /^This is not a private key/,
  },
];

const focused = (page: Page): Promise<string> => page.evaluate(FOCUSED);

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let remaining = MAX_TABS; remaining > 0; remaining -= 1) {
    await page.keyboard.press('Tab');
    const current = await focused(page);
    if (current === name) return;
    passed.push(current);
  }
  throw new Error(`Tab does not reach ${name}, only: ${passed.join(', ')}`);
}

describeInBrowser('dashboard with a keyboard, on a phone or in the dark theme', browser => {
  let dashboard: Dashboard;
  let pages: readonly DashboardPage[];
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    pages = await createSampleData(dashboard);
  });
  afterAll(() => dashboard.stop());

  const pageAt = (start: string): DashboardPage => {
    const dashboardPage = pages.find(({ path }) => path.startsWith(start));
    if (dashboardPage === undefined) throw new Error(`page ${start} not found`);
    return dashboardPage;
  };

  test('can be used with the keyboard only', async () => {
    const page = await openPage(browser(), dashboard.service.url);
    await page.getByLabel('Account').waitFor();
    expect(await focused(page)).toBe('Account');
    await page.keyboard.type('admin');
    await tabTo(page, 'Password');
    await page.keyboard.type(ADMIN_PASSWORD);
    await page.keyboard.press('Enter');
    await connectionStatus(page, 'Live').waitFor();

    await tabTo(page, 'Hosts');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'host-127-94-0-1' }).waitFor();
    await tabTo(page, 'host-127-94-0-1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^host-127-94-0-1/ }).waitFor();
    await tabTo(page, 'Start maintenance');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await focused(page)).toBe('Reason');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Start maintenance');
  });

  test('moves the focus to an invalid field and shows its error', async () => {
    const page = await dashboard.open(browser(), '/');
    const dialog = page.getByRole('dialog');
    for (const { path, presses, typed, verb, expectedError, needsConfirmation } of INVALID_INPUTS) {
      await navigateTo(page, pageAt(path));
      for (const name of presses) await page.getByRole('button', { name }).click();
      for (const [label, text] of typed) await dialog.getByLabel(label).fill(text);
      await dialog.getByRole('button', { name: verb }).click();
      if (needsConfirmation) await confirmPassword(page);
      await dialog.getByText(expectedError).waitFor();
      const [label, text] = typed.at(-1) ?? ['', ''];
      expect(await focused(page)).toBe(label);
      expect(await dialog.getByLabel(label).inputValue()).toBe(text);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
  });

  test('the most used pages are accessible in the dark and the light theme', async () => {
    const page = await dashboard.open(browser(), '/', { colorScheme: 'dark' });
    await navigateTo(page, pageAt('/hosts'));
    await page.getByRole('button', { name: 'Enrol hosts' }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: 'light' });
    await navigateTo(page, pageAt('/operations/'));
    await expectAccessible(page);
  });

  test('no page scrolls horizontally on a phone', async () => {
    const page = await dashboard.open(browser(), '/', { viewport: PHONE });
    const scrolling: string[] = [];
    for (const dashboardPage of pages) {
      await navigateTo(page, dashboardPage);
      if (await scrollsHorizontally(page)) scrolling.push(dashboardPage.path);
    }
    expect(scrolling).toEqual([]);
  });

  test('/docs does not scroll horizontally and does not request a favicon', async () => {
    const page = await browser().newPage();
    const requestedPaths: string[] = [];
    page.on('request', request => requestedPaths.push(URL.parse(request.url())?.pathname ?? ''));
    await page.goto(`${dashboard.service.url}/docs`);
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    for (const viewport of [PHONE, SCREEN]) {
      await page.setViewportSize(viewport);
      expect(await scrollsHorizontally(page), `${viewport.width} pixels`).toBe(false);
    }
    expect(requestedPaths).not.toContain('/favicon.ico');
  });
});
