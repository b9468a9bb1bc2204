// Runs the browser example of docs/reference/events.md in a page.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { Dashboard } from '../harness/browser/dashboard.ts';
import { readDocument } from '../harness/documents/run-document.ts';
import { waitUntil } from '../harness/wait-until.ts';

const [, EXAMPLE = ''] =
  /\n## In a browser\n[\s\S]*?```js\n([\s\S]*?)\n```/.exec(readDocument('docs/reference/events.md')) ?? [];
/** The functions that the example expects. */
const EXAMPLE_FUNCTIONS = `globalThis.shown = [];
const show = event => shown.push(event);
const reloadAll = () => {};`;

describeInBrowser('docs/reference/events.md', browser => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterAll(() => dashboard?.stop());

  test('the browser example receives events for a signed-in user', async () => {
    const page = await dashboard.open(browser(), '/');
    await page.evaluate(`void (async () => { ${EXAMPLE_FUNCTIONS} ${EXAMPLE} })()`);
    const { client } = dashboard.service;
    await waitUntil('the page receives an event', async () => {
      for (const name of ['other', 'web']) {
        await client.putCluster({ name, body: { network: 'default', container_manager: '' } });
        await client.removeCluster({ name });
      }
      return page.evaluate('shown.some(({ type }) => type === "cluster.removed")');
    });
    expect(await page.evaluate('[...new Set(shown.map(({ cluster }) => cluster))]')).toEqual(['web']);
  });
});
