// One stream for all tabs of a browser, which may have only six connections to a service.

import type { FeedNews } from './feed.ts';
import { Feed } from './feed.ts';

/** What a tab says: that somebody has signed in, has signed out, or that it goes. */
export type TabWord = 'signed_in' | 'signed_out' | 'bye';

const tabs = new Set<MessagePort>();

const feed = new Feed((news: FeedNews) => {
  for (const tab of tabs) tab.postMessage(news);
});

function hear(tab: MessagePort, word: TabWord): void {
  if (word === 'bye') tabs.delete(tab);
  if (word === 'signed_out') feed.stop();
  if (word === 'signed_in') feed.start();
}

globalThis.addEventListener('connect', event => {
  const [tab] = (event as MessageEvent).ports;
  if (tab === undefined) return;
  tabs.add(tab);
  tab.onmessage = ({ data }: MessageEvent<TabWord>) => hear(tab, data);
  tab.postMessage(feed.news);
});
