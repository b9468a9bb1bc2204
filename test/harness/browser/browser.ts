// The headless shell of Debian's Chromium, driven by playwright-core. One browser per worker, one context per page. Pages
// reach only this machine, and a test fails if its page logs an error.

import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { CHROMIUM } from '../../../tools/setup/system-packages.js';
import { PROJECT } from '../programs/process.ts';
import { describeUnless } from '../vitest/conditional-suites.ts';

const SCREENSHOTS = path.join(PROJECT, '.cache/screenshots');
/** The console reports most violations without their source location. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', event =>
  console.error('violates the content security policy: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample +
    ' at ' + event.sourceFile + ':' + event.lineNumber + ':' + event.columnNumber))`;

export interface PageOptions extends BrowserContextOptions {
  /** Each expected error must occur, and no other error may. */
  readonly expectedErrors?: readonly RegExp[];
}

/** Chromium logs every error response. For API responses with status 4xx this is normal. */
const isApiClientError = (text: string, url: string): boolean =>
  /^Failed to load resource: .* a status of 4\d\d/.test(text) && URL.parse(url)?.pathname.startsWith('/api/') === true;

function collectErrors(context: BrowserContext): readonly string[] {
  const errors: string[] = [];
  context.on('console', message => {
    const { url } = message.location();
    if (message.type() === 'error' && !isApiClientError(message.text(), url)) errors.push(`${message.text()} (${url})`);
  });
  context.on('weberror', thrown => {
    const error = thrown.error();
    errors.push(`${thrown.page()?.url()}: ${error.stack ?? error.message}`);
  });
  context.on('page', page => page.on('crash', () => errors.push(`${page.url()} crashed`)));
  return errors;
}

async function saveScreenshots(context: BrowserContext, test: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  for (const [index, page] of context.pages().entries()) {
    const name = `${test.replaceAll(/[^\w]+/g, '-').slice(0, 100)}-${index + 1}.png`;
    const file = path.join(SCREENSHOTS, name);
    const screenshot = await page.screenshot({ path: file, timeout: 5000 }).catch(() => undefined);
    if (screenshot) process.stderr.write(`screenshot of ${page.url()}: ${path.relative(PROJECT, file)}\n`);
  }
}

function expectErrors(errors: readonly string[], expected: readonly RegExp[]): void {
  const isExpected = (error: string) => expected.some(pattern => pattern.test(error));
  expect(errors.filter(error => !isExpected(error))).toEqual([]);
  expect(expected.filter(pattern => !errors.some(error => pattern.test(error)))).toEqual([]);
}

export class TestBrowser {
  readonly #browser: Browser;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * A page in a new context. When the test ends, the page closes and must have logged only the expected
   * errors.
   */
  async newPage({ expectedErrors = [], ...options }: PageOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ reducedMotion: 'reduce', ...options });
    const errors = collectErrors(context);
    onTestFinished(async ({ task }) => {
      const hasFailed = task.result?.state === 'fail';
      try {
        if (!hasFailed) expectErrors(errors, expectedErrors);
      } catch (error) {
        await saveScreenshots(context, task.name);
        throw error;
      } finally {
        if (hasFailed) await saveScreenshots(context, task.name);
        await context.close();
      }
      if (hasFailed && errors.length > 0) process.stderr.write(`errors of the page:\n${errors.join('\n')}\n`);
    });
    await context.addInitScript(REPORT_VIOLATIONS);
    return context.newPage();
  }
}

/**
 * Nothing listens on this port. The proxy sends all requests to other machines here, so that no name is
 * resolved.
 */
const UNUSED_ADDRESS = 'http://127.0.0.1:9';

const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

let running: Browser | undefined;

/**
 * The test files of a worker share a browser. It closes when the worker exits. After a crash the next test file
 * starts another one.
 */
async function launch(): Promise<Browser> {
  if (running?.isConnected()) return running;
  const proxy = { server: UNUSED_ADDRESS, bypass: '127.0.0.1' };
  running = await chromium.launch({ executablePath: CHROMIUM, args: ARGS, proxy });
  return running;
}

/** Like `describe`, with an open browser. Skips the suite with a message if Chromium is missing. */
export function describeInBrowser(name: string, tests: (browser: () => TestBrowser) => void): void {
  const reason = existsSync(CHROMIUM) ? undefined : `${CHROMIUM} is missing; set CHROMIUM to another path`;
  describeUnless(reason, name, () => {
    let browser: TestBrowser;
    beforeAll(async () => {
      browser = new TestBrowser(await launch());
    });
    tests(() => browser);
  });
}

/** WCAG 2.2 level AA, and the best practices of axe. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export async function expectAccessible(page: Page, subject = page.url()): Promise<void> {
  const { violations, passes } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  const failures = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
  }));
  expect(failures, subject).toEqual([]);
  // An empty page passes every rule.
  expect(passes.length).toBeGreaterThan(0);
}
