// A real browser, headless: Debian's chromium, driven by playwright-core. One is open for a test file, and each page has a context of
// its own. What must hold: nothing but this machine is reached, and a page that says of an error fails its test, seen or not.

import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { CHROMIUM } from '../../../tools/setup/system-packages.js';
import { describeUnless } from '../describe-unless.ts';
import { PROJECT } from '../programs/process.ts';

const SCREENSHOTS = path.join(PROJECT, '.cache/screenshots');
/** Nobody listens there: what is not for this machine ends here, and no name is looked up. */
const NOWHERE = 'http://127.0.0.1:9';

const ARGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** The console tells of most violations, but not in what code; this does for all of them. */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', event =>
  console.error('violates the policy: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample +
    ' at ' + event.sourceFile + ':' + event.lineNumber + ':' + event.columnNumber))`;

export interface PageOptions extends BrowserContextOptions {
  /** Errors that the test wants to see: each must come, and no other. */
  readonly expected?: readonly RegExp[];
}

/** The browser tells of each answer that is no success. Of the interface it is a part of normal life, and the page's own matter. */
const isRefusal = (text: string, url: string): boolean =>
  /^Failed to load resource: .* a status of 4\d\d/.test(text) &&
  URL.parse(url)?.pathname.startsWith('/api/') === true;

/** Gathers what goes wrong in the pages of a context, in the order in which it does. */
function gatherProblems(context: BrowserContext): readonly string[] {
  const problems: string[] = [];
  context.on('console', message => {
    const { url } = message.location();
    if (message.type() === 'error' && !isRefusal(message.text(), url))
      problems.push(`${message.text()} (${url})`);
  });
  context.on('weberror', thrown => {
    const error = thrown.error();
    problems.push(`${thrown.page()?.url()}: ${error.stack ?? error.message}`);
  });
  context.on('page', page => page.on('crash', () => problems.push(`${page.url()} crashed`)));
  return problems;
}

async function keepScreenshots(context: BrowserContext, test: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  for (const [index, page] of context.pages().entries()) {
    const name = `${test.replaceAll(/[^\w]+/g, '-').slice(0, 100)}-${index + 1}.png`;
    const file = path.join(SCREENSHOTS, name);
    const taken = await page.screenshot({ path: file, timeout: 5000 }).catch(() => undefined);
    if (taken) process.stderr.write(`what ${page.url()} looked like: ${path.relative(PROJECT, file)}\n`);
  }
}

function expectOnly(problems: readonly string[], expected: readonly RegExp[]): void {
  const isExpected = (problem: string) => expected.some(pattern => pattern.test(problem));
  expect(problems.filter(problem => !isExpected(problem))).toEqual([]);
  expect(expected.filter(pattern => !problems.some(problem => pattern.test(problem)))).toEqual([]);
}

export class TestBrowser {
  readonly #browser: Browser;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** A page as of somebody who was never here. When the test is over it is closed, and may have said of no error. */
  async newPage({ expected = [], ...options }: PageOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ reducedMotion: 'reduce', ...options });
    const problems = gatherProblems(context);
    onTestFinished(async ({ task }) => {
      const hasFailed = task.result?.state === 'fail';
      try {
        if (!hasFailed) expectOnly(problems, expected);
      } catch (error) {
        await keepScreenshots(context, task.name);
        throw error;
      } finally {
        if (hasFailed) await keepScreenshots(context, task.name);
        await context.close();
      }
      if (hasFailed && problems.length > 0) process.stderr.write(`the page said:\n${problems.join('\n')}\n`);
    });
    await context.addInitScript(TELL_VIOLATIONS);
    return context.newPage();
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

async function openBrowser(): Promise<TestBrowser> {
  const proxy = { server: NOWHERE, bypass: '127.0.0.1' };
  return new TestBrowser(await chromium.launch({ executablePath: CHROMIUM, args: ARGS, proxy }));
}

/** As `describe`, with a browser that is open when the tests run; where there is none it says so, and leaves them out. */
export function describeInBrowser(name: string, tests: (browser: () => TestBrowser) => void): void {
  const reason = existsSync(CHROMIUM) ? undefined : `there is no ${CHROMIUM}; CHROMIUM may name another`;
  describeUnless(reason, 'a browser is not', name, () => {
    let browser: TestBrowser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());
    tests(() => browser);
  });
}
