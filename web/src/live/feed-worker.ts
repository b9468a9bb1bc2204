// One event stream for all tabs, because browsers allow only six HTTP/1.1 connections per server.

import type { FeedMessage } from './event-feed.ts';
import { EventFeed } from './event-feed.ts';

/** `disconnect`: the page is hidden. `reconnect`: the browser restored the page from its back/forward cache. */
export type TabCommand = 'signed_in' | 'signed_out' | 'disconnect' | 'reconnect';

const tabs = new Set<MessagePort>();

const feed = new EventFeed((message: FeedMessage) => {
  for (const tab of tabs) tab.postMessage(message);
});

function addTab(tab: MessagePort): void {
  tabs.add(tab);
  tab.postMessage(feed.message);
}

function onCommand(tab: MessagePort, command: TabCommand): void {
  if (command === 'disconnect') tabs.delete(tab);
  if (command === 'reconnect') addTab(tab);
  if (command === 'signed_out') feed.stop();
  if (command === 'signed_in') feed.start();
}

globalThis.addEventListener('connect', event => {
  const [tab] = (event as MessageEvent).ports;
  if (tab === undefined) return;
  tab.onmessage = ({ data }: MessageEvent<TabCommand>) => onCommand(tab, data);
  addTab(tab);
});
