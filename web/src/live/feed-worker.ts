// One stream for all tabs of a browser, which may have only six connections to a service.

import type { FeedNews } from './feed.ts';
import { Feed } from './feed.ts';

/** What a tab says: that somebody has signed in, has signed out, that it goes, or that it is back. */
export type TabWord = 'signed_in' | 'signed_out' | 'bye' | 'back';

const tabs = new Set<MessagePort>();

const feed = new Feed((news: FeedNews) => {
  for (const tab of tabs) tab.postMessage(news);
});

function admit(tab: MessagePort): void {
  tabs.add(tab);
  tab.postMessage(feed.news);
}

function hear(tab: MessagePort, word: TabWord): void {
  if (word === 'bye') tabs.delete(tab);
  if (word === 'back') admit(tab);
  if (word === 'signed_out') feed.stop();
  if (word === 'signed_in') feed.start();
}

globalThis.addEventListener('connect', event => {
  const [tab] = (event as MessageEvent).ports;
  if (tab === undefined) return;
  tab.onmessage = ({ data }: MessageEvent<TabWord>) => hear(tab, data);
  admit(tab);
});
