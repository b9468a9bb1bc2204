import { memo } from 'react';
import { EventSentence } from '../../live/event-line.tsx';
import { eventTone } from '../../live/event-tone.ts';
import { When } from '../../ui/when.tsx';
import styles from './events.module.css';
import type { Told } from './told-events.ts';

/** One event, on one line where there is room. */
export const ToldLine = memo(({ event }: { readonly event: Told }) => (
  <li className={styles.line}>
    <span className={styles.at}>
      <span className={`${styles.dot} ${styles[eventTone(event)]}`} aria-hidden="true" />
      <When at={event.at} as="clock" />
    </span>
    <span className={styles.type}>{event.type}</span>
    <span className={styles.text}>
      <EventSentence of={event} />
    </span>
  </li>
));
