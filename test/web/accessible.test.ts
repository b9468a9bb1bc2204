// The dashboard by keyboard, by ear and on a phone. Every page in both themes is in accessible.long.test.ts.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { confirmPassword, Dashboard, openPage, PATIENT, pill } from '../harness/browser/dashboard.ts';
import type { Place } from '../harness/browser/dashboard-pages.ts';
import { furnish, scrollsSideways, visit } from '../harness/browser/dashboard-pages.ts';
import { expectAccessible } from '../harness/browser/expect-accessible.ts';
import { ADMIN_PASSWORD } from '../harness/service.ts';

const PHONE = { width: 390, height: 844 };
const SCREEN = { width: 1280, height: 800 };
const FOCUSED = `(({ activeElement: at }) => at?.ariaLabel ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? '')(document)`;
const MOST_TABS = 60;

interface Wrong {
  readonly place: string;
  readonly presses: readonly string[];
  /** By labels; the last is not right. */
  readonly typed: readonly (readonly [label: string, text: string])[];
  readonly verb: string;
  /** The service needs the password first. */
  readonly needsConfirmation?: true;
  /** Below that field. */
  readonly said: RegExp;
}

const WRONG: readonly Wrong[] = [
  {
    place: '/hosts/127.94.0.1',
    presses: ['Edit labels'],
    typed: [['Labels', 'ring=first\n-a=b']],
    verb: 'Save labels',
    said: /^-a must be 1 to 63 characters/,
  },
  {
    place: '/hosts/127.94.0.1',
    presses: ['Start maintenance'],
    typed: [['Reason', 'x'.repeat(257)]],
    verb: 'Start maintenance',
    said: /^Must be one line of up to 256 characters/,
  },
  {
    place: '/hosts/127.94.0.1',
    presses: ['More', 'Replace credentials', 'Paste the key'],
    typed: [['Private key', 'no key']],
    verb: 'Test and replace',
    needsConfirmation: true,
    said: /^This is not a private key/,
  },
  {
    place: '/hosts',
    presses: ['Enrol hosts', 'Paste the key'],
    typed: [
      ['Addresses', '127.94.0.50'],
      ['Private key', 'no key'],
    ],
    verb: 'Enrol host',
    said: /^This is not a private key/,
  },
];

const focused = (page: Page): Promise<string> => page.evaluate(FOCUSED);

/** Goes from one thing to the next by Tab, until this one has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let left = MOST_TABS; left > 0; left -= 1) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    if (at === name) return;
    passed.push(at);
  }
  throw new Error(`${name} is not reached by Tab; these are: ${passed.join(', ')}`);
}

describeInBrowser('the dashboard', browser => {
  let dashboard: Dashboard;
  let places: readonly Place[];
  beforeAll(async () => {
    dashboard = await Dashboard.start();
    places = await furnish(dashboard);
  });
  afterAll(() => dashboard.stop());

  const placeOf = (start: string): Place => {
    const place = places.find(({ path }) => path.startsWith(start));
    if (place === undefined) throw new Error(`there is no page ${start}`);
    return place;
  };

  test('can be used by keyboard alone', PATIENT, async () => {
    const page = await openPage(browser(), dashboard.service.url);
    await page.getByLabel('Account').waitFor();
    expect(await focused(page)).toBe('Account');
    await page.keyboard.type('admin');
    await tabTo(page, 'Password');
    await page.keyboard.type(ADMIN_PASSWORD);
    await page.keyboard.press('Enter');
    await pill(page, 'Live').waitFor();

    await tabTo(page, 'Hosts');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: '127.94.0.1' }).waitFor();
    await tabTo(page, '127.94.0.1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^127\.94\.0\.1/ }).waitFor();
    await tabTo(page, 'Start maintenance');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await focused(page)).toBe('Reason');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Start maintenance');
  });

  test('leads to the field that is not right, and says there what is wrong', PATIENT, async () => {
    const page = await dashboard.open(browser(), '/');
    const dialog = page.getByRole('dialog');
    for (const { place, presses, typed, verb, said, needsConfirmation } of WRONG) {
      await visit(page, placeOf(place));
      for (const name of presses) await page.getByRole('button', { name }).click();
      for (const [label, text] of typed) await dialog.getByLabel(label).fill(text);
      await dialog.getByRole('button', { name: verb }).click();
      if (needsConfirmation) await confirmPassword(page);
      await dialog.getByText(said).waitFor();
      const [label, text] = typed.at(-1) ?? ['', ''];
      expect(await focused(page)).toBe(label);
      expect(await dialog.getByLabel(label).inputValue()).toBe(text);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
  });

  test('is accessible where people are most of the time, in one theme or the other', PATIENT, async () => {
    const page = await dashboard.open(browser(), '/', { colorScheme: 'dark' });
    await visit(page, placeOf('/hosts'));
    await page.getByRole('button', { name: 'Enrol hosts' }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: 'light' });
    await visit(page, placeOf('/operations/'));
    await expectAccessible(page);
  });

  test('scrolls no page sideways on a phone', PATIENT, async () => {
    const page = await dashboard.open(browser(), '/', { viewport: PHONE });
    const wide: string[] = [];
    for (const place of places) {
      await visit(page, place);
      if (await scrollsSideways(page)) wide.push(place.path);
    }
    expect(wide).toEqual([]);
  });

  test('has a page about the interface that no screen cuts off, and an icon for it', PATIENT, async () => {
    const page = await browser().newPage();
    const asked: string[] = [];
    page.on('request', request => asked.push(URL.parse(request.url())?.pathname ?? ''));
    await page.goto(`${dashboard.service.url}/docs`);
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    for (const viewport of [PHONE, SCREEN]) {
      await page.setViewportSize(viewport);
      expect(await scrollsSideways(page), `${viewport.width} pixels`).toBe(false);
    }
    expect(asked).not.toContain('/favicon.ico');
  });
});
