// What chromium makes of the files as the service sends them.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildWeb } from '../../tools/build/web.js';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { expectAccessible } from '../harness/browser/expect-accessible.ts';
import { PROJECT } from '../harness/programs/process.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { writtenFolder } from '../harness/written-folder.ts';

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Written</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/assets/style-1.css"><script type="module" src="/assets/entry-1.js"></script>
<main><h1>Hello</h1><output id="told">nothing yet</output></main></html>`;

/** A shared worker that asks the service: it keeps to the policy of its own script, and its address must be a trusted one. */
const ENTRY = `const policy = trustedTypes.createPolicy('test', { createScriptURL: url => url });
if (location.hash === '#refused') import('/assets/refused-' + location.pathname.split('/')[2] + '.js').catch(() => {});
const worker = new SharedWorker(policy.createScriptURL('/assets/worker-1.js'), { type: 'module' });
worker.port.onmessage = ({ data }) => { document.querySelector('#told').textContent = data; };`;
const WORKER = `onconnect = async ({ ports: [port] }) => {
  port.postMessage('alive: ' + (await (await fetch('/healthz')).json()).status);
};`;

/** What a page must not do, by the script that does it; and what the browser says then. */
const REFUSED = [
  [
    'a script in the page',
    "document.head.append(Object.assign(document.createElement('script'), { text: 'x' }))",
    /trusted-types/,
  ],
  ['text as markup', "document.body.innerHTML = '<b>x</b>'", /trusted-types/],
  ['a worker by an address that nobody checked', "new SharedWorker('/assets/worker-1.js')", /trusted-types/],
  ['code in a text', "eval('1')", /trusted-types|script-src/],
  ['another server', "fetch('http://127.0.0.1:9/')", /connect-src/],
  ['a style in the page', "document.body.setAttribute('style', 'color: red')", /style-src/],
  [
    'a frame',
    "document.body.append(Object.assign(document.createElement('iframe'), { src: '/' }))",
    /frame-src/,
  ],
] as const;

const FILES = {
  'index.html': INDEX,
  'assets/style-1.css': 'h1 { color: rgb(1, 2, 3) }',
  'assets/entry-1.js': ENTRY,
  'assets/worker-1.js': WORKER,
  'assets/refused-throws.js': "setTimeout(() => { throw new Error('on purpose') })",
  ...Object.fromEntries(REFUSED.map(([, script], index) => [`assets/refused-${index}.js`, script])),
};

const shows = (page: Page, text: RegExp) =>
  until(`${text} is seen`, async () => text.test(await page.locator('body').innerText()));

describeInBrowser('a browser', browser => {
  describe('with files that use what they may', () => {
    const written = writtenFolder(FILES);
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService('sqlite', {}, { dashboardFolder: written.folder });
    });
    afterAll(async () => {
      await service.stop();
      written.remove();
    });

    test('runs scripts, styles and workers, and these may ask the service', async () => {
      const page = await browser().newPage();
      await page.goto(`${service.url}/hosts/127.0.0.1`);
      await shows(page, /alive: ok/);
      expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).color")).toBe(
        'rgb(1, 2, 3)',
      );
      await expectAccessible(page);
    });

    test('refuses what a page must not do', async () => {
      const page = await browser().newPage({ expected: [/^violates the policy/, /./] });
      for (const [index, [what, , problem]] of REFUSED.entries()) {
        const refused = page.waitForEvent('console', message => /^violates the policy/.test(message.text()));
        await page.goto(`${service.url}/hosts/${index}#refused`);
        expect((await refused).text(), what).toMatch(problem);
      }
    });

    test.fails('that told of an error fails the test', async () => {
      const page = await browser().newPage();
      await page.goto(`${service.url}/hosts/throws#refused`);
      await shows(page, /alive: ok/);
    });

    test('reaches nothing but this machine', async () => {
      const page = await browser().newPage();
      for (const elsewhere of ['http://192.0.2.1/', 'http://example.com/'])
        await expect(page.goto(elsewhere)).rejects.toThrow(/ERR_(PROXY_CONNECTION_FAILED|NAME_NOT_RESOLVED)/);
    });
  });

  test('shows the dashboard that was built, without an error', async () => {
    const dashboardFolder = await buildWeb(PROJECT);
    const service = await startTestService('sqlite', {}, { dashboardFolder });
    onTestFinished(service.stop);
    const page = await browser().newPage();
    await page.goto(service.url);
    await shows(page, /Hostler/);
    await expectAccessible(page);
  });
});
