// Takes screenshots of every dashboard page of the running demo, dark and light, wide and narrow:
//
//     npm run pictures             into .cache/pictures/
//     npm run pictures -- --docs   also replaces the screenshots of the documentation

import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../setup/system-packages.js';
import { DOC_SCREENSHOTS, SCREENSHOTS, VIEW_MODES } from './pages.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, '.cache/pictures');
const DOCS = path.join(ROOT, 'docs/pictures');
const PASSWORD = 'demo';
const SIGN_IN_TIMEOUT_MS = 60_000;
/** Long enough for updates by events. */
const SETTLE_MS = 1000;

/** Starts the demo and reads its URL from its output. */
async function startDemo(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const demo = spawn('node', ['bin/hostler.js', 'demo', '--listen', '127.0.0.1:0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => void demo.kill('SIGTERM');
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    demo.stdout.on('data', chunk => {
      output += String(chunk);
      const demoUrl = /Dashboard +(http:\/\/\S+?)\/?\s/.exec(output)?.[1];
      if (demoUrl !== undefined) resolve(demoUrl);
    });
    demo.on('exit', code => reject(new Error(`the demo exited with ${code}`)));
  });
  return { url, stop };
}

async function signIn(browser: Browser, url: string, mode: (typeof VIEW_MODES)[number]): Promise<Page> {
  const { theme, viewport } = mode;
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', deviceScaleFactor: 1 });
  await context.addInitScript(chosen => localStorage.setItem('hostler-theme', chosen), theme);
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Account').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor({ timeout: SIGN_IN_TIMEOUT_MS });
  return page;
}

async function captureAll(page: Page, url: string, mode: (typeof VIEW_MODES)[number]): Promise<void> {
  for (const screenshot of SCREENSHOTS) {
    await page.goto(url + (typeof screenshot.path === 'string' ? screenshot.path : await screenshot.path(page)));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await screenshot.prepare?.(page);
    await page.waitForTimeout(SETTLE_MS);
    const file = path.join(FOLDER, `${screenshot.name}-${mode.name}.png`);
    await page.screenshot({ path: file, fullPage: screenshot.isFullPage ?? false });
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
  for (const mode of VIEW_MODES) {
    const page = await signIn(browser, demo.url, mode);
    await captureAll(page, demo.url, mode);
    await page.context().close();
  }
  if (process.argv.includes('--docs')) {
    mkdirSync(DOCS, { recursive: true });
    for (const name of DOC_SCREENSHOTS) copyFileSync(path.join(FOLDER, name), path.join(DOCS, name));
  }
} finally {
  await browser.close();
  demo.stop();
}
