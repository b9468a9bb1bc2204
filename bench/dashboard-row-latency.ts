// Measures the time from saving a status until a table row shows it, compared with a client that only reads
// the event stream.

import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { streamEvents } from '../src/sdk/event-stream.ts';
import type { Store } from '../src/store/store.ts';
import { changeStatus, hostAddress } from '../test/harness/stores/large-fleet.ts';
import { waitUntil } from '../test/harness/wait-until.ts';

/** Records the text of changed rows after the frame that shows them. */
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

/** Longer than the table delays its next update, so that each change is shown separately. */
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

/**
 * Changes visible hosts one after another. Returns the delay of the row and of the event client for each
 * change, in milliseconds.
 */
export async function measureRowLatency(page: Page, store: Store, client: EventClient, changes: number) {
  const abort = new AbortController();
  const arrivals = new Map<string, { savedMs: number; arrivedMs: number }>();
  const { url, user, password } = client;
  let isReading = false;
  const reading = (async () => {
    const onState = (state: string) => {
      isReading ||= state === 'live';
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
  await waitUntil('the event stream is open', () => isReading);
  const [shownMs, readMs]: [number[], number[]] = [[], []];
  for (let change = 0; change < changes; change += 1) {
    await delay(PAUSE_MS);
    const address = hostAddress(change % 7);
    const to = (await store.reads.hosts.get(address))?.status === 'active' ? 'unreachable' : 'active';
    await changeStatus(store, change % 7, to);
    const arrival = await waitUntil(`the event of ${address}`, () => arrivals.get(`${address} ${to}`));
    const row = await waitUntil(`the row of ${address}`, async () =>
      (await readObservedRows(page)).find(
        ({ text, atMs }) => atMs >= arrival.savedMs && text.includes(address) && text.toLowerCase().includes(to),
      ),
    );
    arrivals.clear();
    shownMs.push(row.atMs - arrival.savedMs);
    readMs.push(arrival.arrivedMs - arrival.savedMs);
  }
  abort.abort();
  await reading;
  return { shownMs, readMs };
}
