// Loads the files as served by the server in chromium.

import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildWeb } from '../../tools/build/web.js';
import { describeInBrowser, expectAccessible } from '../harness/browser/browser.ts';
import { PROJECT } from '../harness/programs/process.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { createTempFolder } from '../harness/temp-folders.ts';
import { runVitest } from '../harness/vitest/run-vitest.ts';
import { waitUntil } from '../harness/wait-until.ts';

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Test</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/assets/style-1.css"><script type="module" src="/assets/entry-1.js"></script>
<main><h1>Hello</h1><output id="message">none</output></main></html>`;

/**
 * A shared worker that sends a request to the server. It has the policy of its own script, and its URL must
 * be a trusted type.
 */
const ENTRY = `const policy = trustedTypes.createPolicy('test', { createScriptURL: url => url });
if (location.hash === '#blocked') import('/assets/blocked-' + location.pathname.split('/')[2] + '.js').catch(() => {});
const worker = new SharedWorker(policy.createScriptURL('/assets/worker-1.js'), { type: 'module' });
worker.port.onmessage = ({ data }) => { document.querySelector('#message').textContent = data; };`;
const WORKER = `onconnect = async ({ ports: [port] }) => {
  port.postMessage('alive: ' + (await (await fetch('/healthz')).json()).status);
};`;

/** Scripts that the content security policy must block, and the expected violation. */
const BLOCKED = [
  [
    'a script in the page',
    "document.head.append(Object.assign(document.createElement('script'), { text: 'x' }))",
    /trusted-types/,
  ],
  ['markup from text', "document.body.innerHTML = '<b>x</b>'", /trusted-types/],
  ['a worker with an unchecked URL', "new SharedWorker('/assets/worker-1.js')", /trusted-types/],
  ['evaluated code', "eval('1')", /trusted-types|script-src/],
  ['another server', "fetch('http://127.0.0.1:9/')", /connect-src/],
  ['a style in the page', "document.body.setAttribute('style', 'color: red')", /style-src/],
  ['a frame', "document.body.append(Object.assign(document.createElement('iframe'), { src: '/' }))", /frame-src/],
] as const;

const FILES = {
  'index.html': INDEX,
  'assets/style-1.css': 'h1 { color: rgb(1, 2, 3) }',
  'assets/entry-1.js': ENTRY,
  'assets/worker-1.js': WORKER,
  ...Object.fromEntries(BLOCKED.map(([, script], index) => [`assets/blocked-${index}.js`, script])),
};

const BROWSER_MODULE = path.join(PROJECT, 'test/harness/browser/browser.ts');
const UNCAUGHT = `import { describeInBrowser } from '${BROWSER_MODULE}';
describeInBrowser('chromium', browser => {
  test('throws', async () => {
    const page = await browser().newPage();
    const uncaughtError = page.waitForEvent('pageerror');
    await page.setContent("<script>setTimeout(() => { throw new Error('on ' + 'purpose') })</script>");
    await uncaughtError;
  });
});`;

const waitForText = (page: Page, text: RegExp) =>
  waitUntil(`${text} is visible`, async () => text.test(await page.locator('body').innerText()));

describeInBrowser('chromium', browser => {
  describe('with permitted files', () => {
    const build = createTempFolder(FILES);
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService('sqlite', {}, { dashboardFolder: build.folder });
    });
    afterAll(async () => {
      await service.stop();
      build.remove();
    });

    test('runs scripts, styles and workers, and these can send requests to the server', async () => {
      const page = await browser().newPage();
      await page.goto(`${service.url}/hosts/127.0.0.1`);
      await waitForText(page, /alive: ok/);
      expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).color")).toBe('rgb(1, 2, 3)');
    });

    test('blocks actions that the content security policy forbids', async () => {
      const page = await browser().newPage({
        expectedErrors: [/^violates the content security policy/, /./],
      });
      for (const [index, [action, , problem]] of BLOCKED.entries()) {
        const violation = page.waitForEvent('console', message =>
          /^violates the content security policy/.test(message.text()),
        );
        await page.goto(`${service.url}/hosts/${index}#blocked`);
        expect((await violation).text(), action).toMatch(problem);
      }
    });

    test('can reach only this machine', async () => {
      const page = await browser().newPage();
      for (const externalUrl of ['http://192.0.2.1/', 'http://example.com/'])
        await expect(page.goto(externalUrl)).rejects.toThrow(/ERR_(PROXY_CONNECTION_FAILED|NAME_NOT_RESOLVED)/);
    });
  });

  test('a test whose page throws an uncaught error fails with this error', async () => {
    const { output } = await runVitest({ 'uncaught.test.js': UNCAUGHT }, '{}');
    expect(output).toMatch(/^\+ .*: Error: on purpose$/m);
  });

  test('shows the built dashboard without errors', async () => {
    const dashboardFolder = await buildWeb(PROJECT);
    const service = await startTestService('sqlite', {}, { dashboardFolder });
    onTestFinished(service.stop);
    const page = await browser().newPage();
    await page.goto(service.url);
    await waitForText(page, /Hostler/);
    await expectAccessible(page);
  });
});
