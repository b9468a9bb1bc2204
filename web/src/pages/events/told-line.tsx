import { memo } from 'react';
import { EventDot } from '../../event-words/event-dot.tsx';
import { EventSentence } from '../../event-words/event-line.tsx';
import type { Told } from '../../event-words/told-events.ts';
import { When } from '../../ui/when.tsx';
import styles from './events.module.css';

/** One event, on one line where there is room. */
export const ToldLine = memo(({ event }: { readonly event: Told }) => (
  <li className={styles.line}>
    <span className={styles.at}>
      <EventDot of={event} />
      <When at={event.at} as="clock" />
    </span>
    <span className={styles.type}>{event.type}</span>
    <span className={styles.text}>
      <EventSentence of={event} />
    </span>
  </li>
));
