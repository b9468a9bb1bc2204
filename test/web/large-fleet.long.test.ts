// Filters, sorts and scrolls 50,000 hosts in a real browser, also while statuses change, and measures frames
// and tasks with the browser trace.

import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildWeb } from '../../tools/build/web.js';
import type { TestBrowser } from '../harness/browser/browser.ts';
import { describeInBrowser } from '../harness/browser/browser.ts';
import type { PageTrace } from '../harness/browser/browser-trace.ts';
import { quantile, tracePage } from '../harness/browser/browser-trace.ts';
import { connectionStatus, signIn } from '../harness/browser/dashboard.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { PROJECT } from '../harness/programs/process.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { changeStatuses, createHost, insertHosts } from '../harness/stores/large-fleet.ts';

const HOSTS = 50_000;
const FRAME_MS = 50;
const FRAMES_WITHIN = 0.95;
const TASK_MS = 200;
const EVENTS_PER_SECOND = 40;
/** Typing speed of people. */
const KEY_MS = 100;
const WHEELS = 100;
const WHEEL_PX = 240;

const SEARCH_TEXT = 'web-12';
const matchCount = Array.from({ length: HOSTS }, (_, index) => createHost(index)).filter(({ hostname }) =>
  hostname.startsWith(SEARCH_TEXT),
).length;

async function openHosts(browser: TestBrowser, { url }: TestService): Promise<Page> {
  const page = await browser.newPage({ reducedMotion: 'no-preference' });
  await page.goto(`${url}/hosts`);
  await signIn(page, 'admin', ADMIN_PASSWORD);
  await connectionStatus(page, 'Live').waitFor();
  await page.getByText('50,000 hosts').waitFor({ timeout: 60_000 });
  return page;
}

/** Cheap for the page, so that it hardly affects the trace. */
const waitForElement = (page: Page, selector: string) => page.locator(selector).waitFor({ state: 'attached' });
const waitForRowCount = (page: Page, count: number) =>
  waitForElement(page, `[role=table][aria-rowcount="${count + 1}"]`);
const waitForRow = (page: Page, index: number) => waitForElement(page, `[data-index="${index}"]`);

/** Click positions are computed before: locating an element costs the page more than the click. */
async function centerOf(page: Page, ...locator: Parameters<Page['getByRole']>) {
  const box = await page.getByRole(...locator).boundingBox();
  if (box === null) throw new Error(`${locator[0]} not found`);
  return [box.x + box.width / 2, box.y + box.height / 2] as const;
}

/**
 * Types and deletes a search text letter by letter, selects a status and all hosts, and sorts in both
 * directions.
 */
async function filterAndSort(page: Page): Promise<PageTrace> {
  const search = await centerOf(page, 'searchbox', { name: 'Search hosts' });
  const [failed, all] = [
    await centerOf(page, 'link', { name: /^Failed/ }),
    await centerOf(page, 'link', { name: /^All/ }),
  ];
  const hostname = await centerOf(page, 'button', { name: 'Hostname' });
  return tracePage(page, async () => {
    for (let round = 0; round < 3; round += 1) {
      await page.mouse.click(...search);
      await page.keyboard.type(SEARCH_TEXT, { delay: KEY_MS });
      await waitForRowCount(page, matchCount);
      for (const _letter of SEARCH_TEXT) await page.keyboard.press('Backspace', { delay: KEY_MS });
      await waitForRowCount(page, HOSTS);
      await page.mouse.click(...failed);
      await waitForRowCount(page, 1250);
      await page.mouse.click(...hostname);
      await page.mouse.click(...all);
      await waitForRowCount(page, HOSTS);
      await page.mouse.click(...hostname);
      await delay(KEY_MS);
    }
  });
}

/** Scrolls with the wheel, then to the end and back. */
async function scroll(page: Page): Promise<PageTrace> {
  const table = await centerOf(page, 'region', { name: 'Hosts' });
  await page.getByRole('region', { name: 'Hosts' }).focus();
  await page.mouse.move(...table);
  return tracePage(page, async () => {
    for (let step = 0; step < WHEELS; step += 1) await page.mouse.wheel(0, WHEEL_PX);
    await page.keyboard.press('End');
    await waitForRow(page, HOSTS - 1);
    for (let step = 0; step < WHEELS / 2; step += 1) await page.mouse.wheel(0, -WHEEL_PX);
    await page.keyboard.press('Home');
    await waitForRow(page, 0);
  });
}

function printResult(action: string, { tasks, framesMs }: PageTrace): void {
  const shareWithin = framesMs.filter(ms => ms <= FRAME_MS).length / framesMs.length;
  const longest = tasks.toSorted((a, b) => b.ms - a.ms).slice(0, 3);
  const longestTasks = longest.map(({ ms, cpuMs }) => `${ms.toFixed(0)} (${cpuMs.toFixed(0)} of CPU)`).join(', ');
  const ms = [0.5, 0.95, 1].map(share => quantile(framesMs, share).toFixed(0)).join(', ');
  process.stdout.write(
    `${action}: ${framesMs.length} frames, ${(100 * shareWithin).toFixed(1)} % within ${FRAME_MS} ms (p50, p95, worst: ${ms} ms); longest tasks ${longestTasks} ms; load ${loadavg()[0]?.toFixed(1)}\n`,
  );
}

/** The documented limits. */
function expectSmooth({ tasks, framesMs }: PageTrace): void {
  expect(framesMs.length).toBeGreaterThan(50);
  expect(quantile(framesMs, FRAMES_WITHIN)).toBeLessThanOrEqual(FRAME_MS);
  expect(tasks.filter(({ ms }) => ms > TASK_MS)).toEqual([]);
}

describeInBrowser(`hosts page with ${HOSTS} hosts`, browser => {
  let service: TestService;
  beforeAll(async () => {
    await buildWeb(PROJECT);
    service = await startTestService('sqlite');
    await insertHosts(service.store, HOSTS);
  });
  afterAll(() => service.stop());

  describe.each([
    ['without changes', 0],
    [`with ${EVENTS_PER_SECOND} status changes per second`, EVENTS_PER_SECOND],
  ])('%s', (name, perSecond) => {
    test.each([
      ['filters and sorts smoothly', filterAndSort],
      ['scrolls smoothly', scroll],
    ])('%s', async (action, perform) => {
      const page = await openHosts(browser(), service);
      const abort = new AbortController();
      const changes = changeStatuses(service.store, { hosts: HOSTS, perSecond, signal: abort.signal });
      try {
        const trace = await perform(page);
        printResult(`${action} ${name}`, trace);
        expectSmooth(trace);
      } finally {
        abort.abort();
        await changes;
      }
    });
  });
});
