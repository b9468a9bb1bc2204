import type { FeedState } from './feed.ts';
import styles from './live-pill.module.css';
import { useLiveState } from './use-live-state.ts';

const WORDS: Readonly<Record<FeedState, { readonly word: string; readonly title: string }>> = {
  live: { word: 'Live', title: 'Everything on this page is shown as it happens.' },
  connecting: { word: 'Connecting', title: 'The stream of events is being opened.' },
  lost: {
    word: 'Connection lost',
    title:
      'The service does not answer. What is shown is what was known last; it goes on by itself, without a gap.',
  },
  signed_out: { word: 'Signed out', title: 'Sign in to go on.' },
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
