// The few lines that the document about events has for a page, in a page.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser/browser.ts';
import { Dashboard, PATIENT } from '../harness/browser/dashboard.ts';
import { documentText } from '../harness/documents/read-through.ts';
import { until } from '../harness/until.ts';

const [, LINES = ''] =
  /\n## In a browser\n[\s\S]*?```js\n([\s\S]*?)\n```/.exec(documentText('docs/reference/events.md')) ?? [];
/** What the document leaves to its reader. */
const READERS_PART = `globalThis.shown = [];
const show = event => shown.push(event);
const reloadAll = () => {};`;

describeInBrowser('the document about events', browser => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterAll(() => dashboard?.stop());

  test('has lines by which a page of somebody who is signed in is told', PATIENT, async () => {
    const page = await dashboard.open(browser(), '/');
    await page.evaluate(`void (async () => { ${READERS_PART} ${LINES} })()`);
    const { client } = dashboard.service;
    await until('something is told', async () => {
      for (const name of ['other', 'web']) {
        await client.putCluster({ name, body: { network: 'default', container_manager: '' } });
        await client.removeCluster({ name });
      }
      return page.evaluate('shown.some(({ type }) => type === "cluster.removed")');
    });
    expect(await page.evaluate('[...new Set(shown.map(({ cluster }) => cluster))]')).toEqual(['web']);
  });
});
