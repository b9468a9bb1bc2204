import type { FeedNews } from './feed.ts';
import { Feed } from './feed.ts';
import type { TabWord } from './feed-worker.ts';
import workerUrl from './feed-worker.ts?sharedworker&url';

declare global {
  /** Not in every browser, and not in TypeScript's types yet. Scripts take what the policy answers for a text. */
  var trustedTypes:
    | {
        createPolicy(
          name: string,
          rules: { createScriptURL(url: string): string },
        ): { createScriptURL(url: string): string };
      }
    | undefined;
}

/** The stream, as a tab has it. */
export interface JoinedFeed {
  say(word: TabWord): void;
}

/** The content security policy lets nothing become a script but what a policy has looked at: only this one file. */
function scriptUrl(url: string): string {
  const policy = globalThis.trustedTypes?.createPolicy('hostler', {
    createScriptURL: asked => {
      if (asked !== workerUrl) throw new TypeError('this is no script of the dashboard');
      return asked;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}

function joinWorker(tell: (news: FeedNews) => void): JoinedFeed {
  const worker = new SharedWorker(scriptUrl(workerUrl), { type: 'module', name: 'hostler-events' });
  worker.port.onmessage = ({ data }: MessageEvent<FeedNews>) => tell(data);
  const say = (word: TabWord) => worker.port.postMessage(word);
  globalThis.addEventListener('pagehide', () => say('bye'));
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    // The browser has kept the page while somebody was elsewhere.
    if (!persisted) return;
    tell({ kind: 'joined_again' });
    say('back');
  });
  return { say };
}

/** Browsers without shared workers have a stream for each tab. */
function joinAlone(tell: (news: FeedNews) => void): JoinedFeed {
  const feed = new Feed(tell);
  return {
    say: word => {
      if (word === 'signed_in') feed.start();
      if (word === 'signed_out') feed.stop();
    },
  };
}

export const joinFeed = (tell: (news: FeedNews) => void): JoinedFeed =>
  'SharedWorker' in globalThis ? joinWorker(tell) : joinAlone(tell);
