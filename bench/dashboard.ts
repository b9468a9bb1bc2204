// npm run bench:dashboard — the dashboard with 50,000 hosts in a real browser, each time beside a floor in the same round: how long until the
// first row is there, beside an empty page of the same server; frames while it is scrolled, beside a plain long page; and how late a
// row shows what was saved, beside a program that only reads the events.
//
//   npm run bench:dashboard              seven rounds
//   npm run bench:dashboard -- --quick   two

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { createLog } from '../src/lib/log.ts';
import { startService } from '../src/server/compose.ts';
import { loadConfig } from '../src/server/configuration/config.ts';
import { atShare, traced } from '../test/harness/browser/browser-trace.ts';
import { fillWithHosts } from '../test/harness/stores/many-hosts.ts';
import { memoryFolder } from '../test/harness/stores/memory-folder.ts';
import { measureShown, WATCH_ROWS } from './dashboard/shown-rows.ts';
import { median } from './median.ts';

const HOSTS = 50_000;
const ROUNDS = process.argv.includes('--quick') ? 2 : 7;
const CHANGES = 10;
const WHEELS = 60;
const WHEEL_PX = 240;
const ROOM_MB = 500;
const PASSWORD = 'bench';
const EMPTY_PAGE = '/healthz';
const FIRST_ROW = '[data-index="0"]';
/** As long as the table, with lines of text only. */
const PLAIN = `<body>${'<p>A line of a plain page that is long.</p>'.repeat(3000)}</body>`;

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

/** With nothing in its cache. */
async function freshPage(browser: Browser, context: Context): Promise<Page> {
  const page = await (await browser.newContext(context)).newPage();
  await page.addInitScript({ content: WATCH_ROWS });
  return page;
}

async function loadMs(page: Page, url: string, selector: string): Promise<number> {
  const begunAt = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(selector).waitFor({ state: 'attached' });
  return performance.now() - begunAt;
}

/** What comes over the wire, in kB: of the dashboard itself, and of the interface. */
function countBytes(page: Page): () => Promise<readonly [own: number, data: number]> {
  const sizes: Promise<readonly [isData: boolean, bytes: number]>[] = [];
  page.on('requestfinished', request =>
    sizes.push(
      request
        .sizes()
        .then(({ responseBodySize }) => [request.url().includes('/api/'), responseBodySize] as const),
    ),
  );
  return async () => {
    const all = await Promise.all(sizes);
    const kb = (ofData: boolean) =>
      all.reduce((sum, [isData, bytes]) => sum + (isData === ofData ? bytes : 0), 0) / 1000;
    return [kb(false), kb(true)];
  };
}

const scroll = (page: Page) =>
  traced(page, async () => {
    await page.mouse.move(400, 500);
    for (let turn = 0; turn < WHEELS; turn += 1) await page.mouse.wheel(0, WHEEL_PX);
  });

const figures: Record<'rowMs' | 'emptyMs' | 'tableMs' | 'plainMs' | 'shownMs' | 'readMs', number[]> = {
  ...{ rowMs: [], emptyMs: [], tableMs: [], plainMs: [], shownMs: [], readMs: [] },
};

const folder = mkdtempSync(path.join(memoryFolder({ roomMb: ROOM_MB }), 'hostler-bench-'));
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
  executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

/** The floor and the dashboard by turns, so that both have the same neighbours. */
async function round(context: Context): Promise<readonly [own: number, data: number]> {
  const { url, store } = service;
  const floor = await freshPage(browser, context);
  figures.emptyMs.push(await loadMs(floor, url + EMPTY_PAGE, 'body'));
  const page = await freshPage(browser, context);
  const bytes = countBytes(page);
  figures.rowMs.push(await loadMs(page, `${url}/hosts`, FIRST_ROW));
  const loaded = await bytes();
  await floor.goto('about:blank');
  await floor.setContent(PLAIN);
  figures.plainMs.push(...(await scroll(floor)).framesMs);
  const { shownMs, readMs } = await measureShown(
    page,
    store,
    { url, user: 'admin', password: PASSWORD },
    CHANGES,
  );
  figures.shownMs.push(...shownMs);
  figures.readMs.push(...readMs);
  figures.tableMs.push(...(await scroll(page)).framesMs);
  for (const each of [floor, page]) await each.context().close();
  return loaded;
}

function report([own, data]: readonly [number, number]): void {
  const line = (what: string, ours: readonly number[], floor: readonly number[]) => {
    const [p50, floor50] = [median(ours), median(floor)];
    const p95 = [atShare(ours, 0.95), atShare(floor, 0.95)].map(ms => ms.toFixed(0)).join(' / ');
    console.log(
      `${what.padEnd(42)}${p50.toFixed(0).padStart(7)} ms${floor50.toFixed(0).padStart(7)} ms${(p50 / floor50).toFixed(2).padStart(8)}   p95 ${p95} ms`,
    );
  };
  console.log(`${' '.repeat(42)}    Hostler  baseline   ratio`);
  line('the first row of a first visit', figures.rowMs, figures.emptyMs);
  line('a frame while scrolling', figures.tableMs, figures.plainMs);
  line('from the save to the screen', figures.shownMs, figures.readMs);
  console.log(`The first visit loads ${own.toFixed(0)} kB of code and ${data.toFixed(0)} kB of host data.`);
}

try {
  await fillWithHosts(service.store, HOSTS);
  const context = await signIn(browser, service.url);
  console.log(
    `${HOSTS} hosts, ${ROUNDS} rounds, Chromium ${browser.version()}, Node ${process.versions.node}`,
  );
  // The first is warming up.
  let loaded = await round(context);
  for (const each of Object.values(figures)) each.length = 0;
  for (let done = 0; done < ROUNDS; done += 1) loaded = await round(context);
  report(loaded);
  console.log(`Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`);
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
