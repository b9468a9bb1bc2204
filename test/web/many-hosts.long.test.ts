// 50,000 hosts in a real browser: what it takes to look for some of them and to scroll through all, by the browser's own log, also while
// their statuses change.

import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWeb } from '../../tools/build/web.js';
import type { TestBrowser } from '../harness/browser/browser.ts';
import { describeInBrowser } from '../harness/browser/browser.ts';
import type { Traced } from '../harness/browser/browser-trace.ts';
import { atShare, traced } from '../harness/browser/browser-trace.ts';
import { PROJECT } from '../harness/programs/process.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, startTestService } from '../harness/service.ts';
import { changeStatuses, fillWithHosts, hostOf } from '../harness/stores/many-hosts.ts';

const HOSTS = 50_000;
const FRAME_MS = 50;
const FRAMES_WITHIN = 0.95;
const TASK_MS = 200;
const EVENTS_PER_SECOND = 40;
/** As quickly as people type. */
const KEY_MS = 100;
const WHEELS = 100;
const WHEEL_PX = 240;
const LONG_MS = 240_000;

const WORD = 'web-12';
const likeWord = Array.from({ length: HOSTS }, (_, index) => hostOf(index)).filter(({ hostname }) =>
  hostname.startsWith(WORD),
).length;

async function openHosts(browser: TestBrowser, { url }: TestService): Promise<Page> {
  const page = await browser.newPage({ reducedMotion: 'no-preference' });
  await page.goto(`${url}/hosts`);
  await page.getByLabel('Account').fill('admin');
  await page.getByLabel('Password').fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('50,000 hosts').waitFor({ timeout: 60_000 });
  return page;
}

/** Asks little of the page, so that it is hardly seen in its log. */
const untilThere = (page: Page, selector: string) => page.locator(selector).waitFor({ state: 'attached' });
const untilRows = (page: Page, count: number) =>
  untilThere(page, `[role=table][aria-rowcount="${count + 1}"]`);
const untilShown = (page: Page, index: number) => untilThere(page, `[data-index="${index}"]`);

/** Where to press: to look for it costs the page more than the press. */
async function middleOf(page: Page, ...of: Parameters<Page['getByRole']>) {
  const box = await page.getByRole(...of).boundingBox();
  if (box === null) throw new Error(`${of[0]} is not there`);
  return [box.x + box.width / 2, box.y + box.height / 2] as const;
}

/** Types a word letter by letter and takes it back, chooses a status and all again, and sorts both ways. */
async function filterAndSort(page: Page): Promise<Traced> {
  const search = await middleOf(page, 'searchbox', { name: 'Search hosts' });
  const [failed, all] = [
    await middleOf(page, 'link', { name: /^Failed/ }),
    await middleOf(page, 'link', { name: /^All/ }),
  ];
  const hostname = await middleOf(page, 'button', { name: 'Hostname' });
  return traced(page, async () => {
    for (let round = 0; round < 3; round += 1) {
      await page.mouse.click(...search);
      await page.keyboard.type(WORD, { delay: KEY_MS });
      await untilRows(page, likeWord);
      for (const _letter of WORD) await page.keyboard.press('Backspace', { delay: KEY_MS });
      await untilRows(page, HOSTS);
      await page.mouse.click(...failed);
      await untilRows(page, 1250);
      await page.mouse.click(...hostname);
      await page.mouse.click(...all);
      await untilRows(page, HOSTS);
      await page.mouse.click(...hostname);
      await delay(KEY_MS);
    }
  });
}

/** By the wheel through some, then to the end and back. */
async function scroll(page: Page): Promise<Traced> {
  const table = await middleOf(page, 'region', { name: 'Hosts' });
  await page.getByRole('region', { name: 'Hosts' }).focus();
  await page.mouse.move(...table);
  return traced(page, async () => {
    for (let turn = 0; turn < WHEELS; turn += 1) await page.mouse.wheel(0, WHEEL_PX);
    await page.keyboard.press('End');
    await untilShown(page, HOSTS - 1);
    for (let turn = 0; turn < WHEELS / 2; turn += 1) await page.mouse.wheel(0, -WHEEL_PX);
    await page.keyboard.press('Home');
    await untilShown(page, 0);
  });
}

function tell(what: string, { tasks, framesMs }: Traced): void {
  const within = framesMs.filter(ms => ms <= FRAME_MS).length / framesMs.length;
  const longest = tasks.toSorted((a, b) => b.ms - a.ms).slice(0, 3);
  const words = longest.map(({ ms, cpuMs }) => `${ms.toFixed(0)} (${cpuMs.toFixed(0)} of CPU)`).join(', ');
  const ms = [0.5, 0.95, 1].map(share => atShare(framesMs, share).toFixed(0)).join(', ');
  process.stdout.write(
    `${what}: ${framesMs.length} frames, ${(100 * within).toFixed(1)} % within ${FRAME_MS} ms (p50, p95, worst: ${ms} ms); longest tasks ${words} ms; load ${loadavg()[0]?.toFixed(1)}\n`,
  );
}

/** Exactly what is promised. */
function expectSmooth({ tasks, framesMs }: Traced): void {
  expect(framesMs.length).toBeGreaterThan(50);
  expect(atShare(framesMs, FRAMES_WITHIN)).toBeLessThanOrEqual(FRAME_MS);
  expect(tasks.filter(({ ms }) => ms > TASK_MS)).toEqual([]);
}

describeInBrowser(`${HOSTS} hosts`, browser => {
  let service: TestService;
  beforeAll(async () => {
    await buildWeb(PROJECT);
    service = await startTestService('sqlite');
    await fillWithHosts(service.store, HOSTS);
  }, LONG_MS);
  afterAll(() => service.stop());

  describe.each([
    ['while nothing happens', 0],
    [`while ${EVENTS_PER_SECOND} statuses change a second`, EVENTS_PER_SECOND],
  ])('%s', (name, perSecond) => {
    it.each([
      ['are filtered and sorted', filterAndSort],
      ['are scrolled through', scroll],
    ])(
      '%s',
      async (what, act) => {
        const page = await openHosts(browser(), service);
        const over = new AbortController();
        const changes = changeStatuses(service.store, { hosts: HOSTS, perSecond, signal: over.signal });
        try {
          const found = await act(page);
          tell(`${what} ${name}`, found);
          expectSmooth(found);
        } finally {
          over.abort();
          await changes;
        }
      },
      LONG_MS,
    );
  });
});
