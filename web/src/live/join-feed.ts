import type { FeedNews } from './feed.ts';
import { Feed } from './feed.ts';
import type { TabWord } from './feed-worker.ts';

/** The stream, as a tab has it. */
export interface JoinedFeed {
  say(word: TabWord): void;
}

function joinWorker(tell: (news: FeedNews) => void): JoinedFeed {
  const worker = new SharedWorker(new URL('./feed-worker.ts', import.meta.url), {
    type: 'module',
    name: 'hostler-events',
  });
  worker.port.onmessage = ({ data }: MessageEvent<FeedNews>) => tell(data);
  globalThis.addEventListener('pagehide', () => worker.port.postMessage('bye' satisfies TabWord));
  return { say: word => worker.port.postMessage(word) };
}

/** Browsers without shared workers have a stream for each tab. */
function joinAlone(tell: (news: FeedNews) => void): JoinedFeed {
  const feed = new Feed(tell);
  return {
    say: word => {
      if (word === 'signed_in') feed.start();
      else feed.stop();
    },
  };
}

export const joinFeed = (tell: (news: FeedNews) => void): JoinedFeed =>
  'SharedWorker' in globalThis ? joinWorker(tell) : joinAlone(tell);
