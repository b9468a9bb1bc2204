// npm run bench:dashboard — the dashboard with 50,000 hosts in a real browser, compared with a baseline in
// the same round: the time to the first row (baseline: an empty page of the same server), frames while
// scrolling (baseline: a plain long page), and the delay of a row after a change (baseline: a program that
// only reads the events).
//
//     npm run bench:dashboard              seven rounds
//     npm run bench:dashboard -- --quick   two rounds

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { createLog } from '../src/lib/log.ts';
import { loadConfig } from '../src/server/configuration/config.ts';
import { startService } from '../src/server/start-service.ts';
import { quantile, tracePage } from '../test/harness/browser/browser-trace.ts';
import { insertHosts } from '../test/harness/stores/large-fleet.ts';
import { memoryFolder } from '../test/harness/stores/memory-folder.ts';
import { CHROMIUM } from '../tools/setup/system-packages.js';
import { measureRowLatency, OBSERVE_ROWS_SCRIPT } from './dashboard-row-latency.ts';
import { median } from './measure.ts';

const HOSTS = 50_000;
const ROUNDS = process.argv.includes('--quick') ? 2 : 7;
const CHANGES = 10;
const WHEELS = 60;
const WHEEL_PX = 240;
const REQUIRED_MB = 500;
const PASSWORD = 'bench';
const EMPTY_PAGE = '/healthz';
const FIRST_ROW = '[data-index="0"]';
/** As long as the table, with text lines only. */
const PLAIN_PAGE = `<body>${'<p>A line of a plain page that is long.</p>'.repeat(3000)}</body>`;

type Context = Pick<BrowserContextOptions, 'storageState'>;

async function signIn(browser: Browser, url: string): Promise<Context> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByLabel('Account').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  const storageState = await page.context().storageState();
  await page.close();
  return { storageState };
}

/** With an empty cache. */
async function openUncachedPage(browser: Browser, context: Context): Promise<Page> {
  const page = await (await browser.newContext(context)).newPage();
  await page.addInitScript({ content: OBSERVE_ROWS_SCRIPT });
  return page;
}

async function measureLoadMs(page: Page, url: string, selector: string): Promise<number> {
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(selector).waitFor({ state: 'attached' });
  return performance.now() - startedAt;
}

/** Transferred kB of the dashboard code and of the API. */
function countBytes(page: Page): () => Promise<readonly [own: number, data: number]> {
  const sizes: Promise<readonly [isData: boolean, bytes: number]>[] = [];
  page.on('requestfinished', request =>
    sizes.push(
      request.sizes().then(({ responseBodySize }) => [request.url().includes('/api/'), responseBodySize] as const),
    ),
  );
  return async () => {
    const all = await Promise.all(sizes);
    const kb = (countsData: boolean) =>
      all.reduce((sum, [isData, bytes]) => sum + (isData === countsData ? bytes : 0), 0) / 1000;
    return [kb(false), kb(true)];
  };
}

const scroll = (page: Page) =>
  tracePage(page, async () => {
    await page.mouse.move(400, 500);
    for (let step = 0; step < WHEELS; step += 1) await page.mouse.wheel(0, WHEEL_PX);
  });

const results: Record<'rowMs' | 'emptyMs' | 'tableMs' | 'plainMs' | 'shownMs' | 'readMs', number[]> = {
  ...{ rowMs: [], emptyMs: [], tableMs: [], plainMs: [], shownMs: [], readMs: [] },
};

const folder = mkdtempSync(path.join(memoryFolder({ requiredMb: REQUIRED_MB }), 'hostler-bench-'));
const environment = {
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_DATA: folder,
  HOSTLER_STORE: 'sqlite',
  HOSTLER_ADMIN_PASSWORD: PASSWORD,
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  HOSTLER_TRANSPORT: 'none',
};
const service = await startService(loadConfig({ environment, flags: {} }), createLog('silent', false), {});
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

/** Baseline and dashboard alternate, so that other load on the machine affects both. */
async function measureRound(context: Context): Promise<readonly [own: number, data: number]> {
  const { url, store } = service;
  const baseline = await openUncachedPage(browser, context);
  results.emptyMs.push(await measureLoadMs(baseline, url + EMPTY_PAGE, 'body'));
  const page = await openUncachedPage(browser, context);
  const bytes = countBytes(page);
  results.rowMs.push(await measureLoadMs(page, `${url}/hosts`, FIRST_ROW));
  const loaded = await bytes();
  await baseline.goto('about:blank');
  await baseline.setContent(PLAIN_PAGE);
  results.plainMs.push(...(await scroll(baseline)).framesMs);
  const { shownMs, readMs } = await measureRowLatency(page, store, { url, user: 'admin', password: PASSWORD }, CHANGES);
  results.shownMs.push(...shownMs);
  results.readMs.push(...readMs);
  results.tableMs.push(...(await scroll(page)).framesMs);
  for (const item of [baseline, page]) await item.context().close();
  return loaded;
}

function report([code, data]: readonly [number, number]): void {
  const line = (title: string, results: readonly number[], baseline: readonly number[]) => {
    const [p50, baseline50] = [median(results), median(baseline)];
    const p95 = [quantile(results, 0.95), quantile(baseline, 0.95)].map(ms => ms.toFixed(0)).join(' / ');
    console.log(
      `${title.padEnd(42)}${p50.toFixed(0).padStart(7)} ms${baseline50.toFixed(0).padStart(7)} ms${(p50 / baseline50).toFixed(2).padStart(8)}   p95 ${p95} ms`,
    );
  };
  console.log(`${' '.repeat(42)}    Hostler  baseline   ratio`);
  line('the first row of a first visit', results.rowMs, results.emptyMs);
  line('a frame while scrolling', results.tableMs, results.plainMs);
  line('from the save to the screen', results.shownMs, results.readMs);
  console.log(`The first visit loads ${code.toFixed(0)} kB of code and ${data.toFixed(0)} kB of host data.`);
}

try {
  await insertHosts(service.store, HOSTS);
  const context = await signIn(browser, service.url);
  console.log(`${HOSTS} hosts, ${ROUNDS} rounds, Chromium ${browser.version()}, Node ${process.versions.node}`);
  // The first round is the warm-up.
  let loaded = await measureRound(context);
  for (const item of Object.values(results)) item.length = 0;
  for (let done = 0; done < ROUNDS; done += 1) loaded = await measureRound(context);
  report(loaded);
  console.log(`Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`);
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
