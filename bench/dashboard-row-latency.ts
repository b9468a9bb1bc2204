// How long it takes from a status that is saved until a row of the table shows it, beside a reader of the stream that shows nothing.

import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { streamEvents } from '../src/sdk/event-stream.ts';
import type { Store } from '../src/store/store.ts';
import { addressOf, changeStatus } from '../test/harness/stores/many-hosts.ts';
import { until } from '../test/harness/until.ts';

/** Notes what rows say, after the frame in which they do. */
export const OBSERVE_ROWS_SCRIPT = `
globalThis.shownRows = [];
new MutationObserver(changes => {
  const rows = new Set();
  for (const { target } of changes) {
    const row = (target.nodeType === 1 ? target : target.parentElement)?.closest('[data-index]');
    if (row) rows.add(row.textContent);
  }
  if (rows.size === 0) return;
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      for (const text of rows) globalThis.shownRows.push({ text, atMs: performance.timeOrigin + performance.now() });
    };
    port2.postMessage(0);
  });
}).observe(document, { subtree: true, childList: true, characterData: true });
`;

/** Longer than a table that has just changed stays as it is: each change is one by itself. */
const PAUSE_MS = 400;

interface ObservedRow {
  readonly text: string;
  readonly atMs: number;
}

const readObservedRows = (page: Page): Promise<readonly ObservedRow[]> =>
  page.evaluate(() => (globalThis as unknown as { shownRows: ObservedRow[] }).shownRows);

interface EventClient {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Changes hosts that are in sight, one after the other; answers how late the row and the reader were each time, in milliseconds. */
export async function measureRowLatency(page: Page, store: Store, client: EventClient, changes: number) {
  const abort = new AbortController();
  const arrivals = new Map<string, { savedMs: number; arrivedMs: number }>();
  const { url, user, password } = client;
  let isFollowing = false;
  const following = (async () => {
    const onState = (state: string) => {
      isFollowing ||= state === 'live';
    };
    const events = streamEvents({
      baseUrls: [url],
      user,
      password,
      query: {},
      signal: abort.signal,
      onState,
    });
    for await (const event of events)
      if ('id' in event && event.type === 'host.status')
        arrivals.set(`${event.host} ${event.data['to']}`, {
          savedMs: Date.parse(`${event.at}Z`),
          arrivedMs: Date.now(),
        });
  })().catch(() => {});
  await until('the reader follows', () => isFollowing);
  const [shownMs, readMs]: [number[], number[]] = [[], []];
  for (let change = 0; change < changes; change += 1) {
    await delay(PAUSE_MS);
    const address = addressOf(change % 7);
    const to = (await store.reads.hosts.get(address))?.status === 'active' ? 'unreachable' : 'active';
    await changeStatus(store, change % 7, to);
    const arrival = await until(`${address} is told`, () => arrivals.get(`${address} ${to}`));
    const row = await until(`${address} is shown`, async () =>
      (await readObservedRows(page)).find(
        ({ text, atMs }) =>
          atMs >= arrival.savedMs && text.includes(address) && text.toLowerCase().includes(to),
      ),
    );
    arrivals.clear();
    shownMs.push(row.atMs - arrival.savedMs);
    readMs.push(arrival.arrivedMs - arrival.savedMs);
  }
  abort.abort();
  await following;
  return { shownMs, readMs };
}
