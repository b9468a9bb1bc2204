import styles from './connection-badge.module.css';
import type { FeedState } from './event-feed.ts';
import { useConnectionState } from './live-events.ts';

const STATE_LABELS: Readonly<Record<FeedState, { readonly label: string; readonly title: string }>> = {
  live: { label: 'Live', title: 'This page updates in real time.' },
  connecting: { label: 'Connecting', title: 'Connecting to the event stream.' },
  lost: {
    label: 'Disconnected',
    title: 'Cannot reach the server. This page shows the last known state and updates when the connection is back.',
  },
  signed_out: { label: 'Signed out', title: 'Sign in to continue.' },
};

export function ConnectionBadge() {
  const state = useConnectionState();
  const { label, title } = STATE_LABELS[state];
  return (
    <span className={`${styles.badge} ${styles[state]}`} role="status" title={title}>
      {label}
    </span>
  );
}
