// Pictures of every page of the dashboard, dark and light, wide and narrow, of the demo while it plays:
//
//   npm run pictures           into .cache/pictures/
//   npm run pictures -- --docs also renews those that the documents show

import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../setup/chromium.js';
import { DOC_PICTURES, LOOKS, SHOTS } from './shots.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, '.cache/pictures');
const DOCS = path.join(ROOT, 'docs/pictures');
const PASSWORD = 'demo';
const BEGIN_MS = 60_000;
/** Long enough for what comes by events. */
const SETTLE_MS = 1000;

/** The demo as a process of its own; its first lines tell where it is. */
async function startDemo(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const demo = spawn('node', ['bin/hostler.js', 'demo', '--listen', '127.0.0.1:0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => void demo.kill('SIGTERM');
  const url = await new Promise<string>((resolve, reject) => {
    let told = '';
    demo.stdout.on('data', chunk => {
      told += String(chunk);
      const found = /Dashboard +(http:\/\/\S+?)\/?\s/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    demo.on('exit', code => reject(new Error(`the demo exited with ${code}`)));
  });
  return { url, stop };
}

async function signIn(browser: Browser, url: string, look: (typeof LOOKS)[number]): Promise<Page> {
  const { theme, viewport } = look;
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', deviceScaleFactor: 1 });
  await context.addInitScript(chosen => localStorage.setItem('hostler-theme', chosen), theme);
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Account').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor({ timeout: BEGIN_MS });
  return page;
}

async function takeAll(page: Page, url: string, look: (typeof LOOKS)[number]): Promise<void> {
  for (const shot of SHOTS) {
    await page.goto(url + (typeof shot.path === 'string' ? shot.path : await shot.path(page)));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await shot.prepare?.(page);
    await page.waitForTimeout(SETTLE_MS);
    const file = path.join(FOLDER, `${shot.name}-${look.name}.png`);
    await page.screenshot({ path: file, fullPage: shot.isLong ?? false });
    console.log(path.relative(ROOT, file));
  }
}

const demo = await startDemo();
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const look of LOOKS) {
    const page = await signIn(browser, demo.url, look);
    await takeAll(page, demo.url, look);
    await page.context().close();
  }
  if (process.argv.includes('--docs')) {
    mkdirSync(DOCS, { recursive: true });
    for (const name of DOC_PICTURES) copyFileSync(path.join(FOLDER, name), path.join(DOCS, name));
  }
} finally {
  await browser.close();
  demo.stop();
}
