import type { FeedState } from './feed.ts';
import styles from './live-pill.module.css';
import { useLiveState } from './use-live-state.ts';

const WORDS: Readonly<Record<FeedState, { readonly word: string; readonly title: string }>> = {
  live: { word: 'Live', title: 'This page updates in real time.' },
  connecting: { word: 'Connecting', title: 'Connecting to the event stream.' },
  lost: {
    word: 'Disconnected',
    title:
      'Cannot reach the server. This page shows the last known state and updates when the connection is back.',
  },
  signed_out: { word: 'Signed out', title: 'Sign in to continue.' },
};

/** How it is with the stream of events. */
export function LivePill() {
  const state = useLiveState();
  const { word, title } = WORDS[state];
  return (
    <span className={`${styles.pill} ${styles[state]}`} role="status" title={title}>
      {word}
    </span>
  );
}
