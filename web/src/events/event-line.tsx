import { Link } from '@tanstack/react-router';
import type { Hostnames } from '#sdk/hostnames.ts';
import { Timestamp } from '../ui/timestamp.tsx';
import { eventSeverity } from './event-categories.ts';
import styles from './event-line.module.css';
import type { EventLike } from './event-message-parts.ts';
import { splitLinks } from './event-message-parts.ts';
import { eventMessage } from './event-messages.ts';

/** Shows the severity. It is hidden from screen readers because the message next to it says the same. */
export const EventDot = ({ event }: { readonly event: EventLike }) => (
  <span className={`${styles.dot} ${styles[eventSeverity(event)]}`} aria-hidden="true" />
);

interface EventMessageProps {
  readonly event: EventLike;
  readonly hostnames: Hostnames;
}

export const EventMessage = ({ event, hostnames }: EventMessageProps) => (
  <span>
    {splitLinks(eventMessage(event, hostnames)).map(part =>
      typeof part === 'string' ? (
        part
      ) : (
        <Link
          key={part.start}
          to={part.to}
          title={part.title}
          {...(part.params && { params: part.params })}
          {...(part.search && { search: part.search })}
        >
          {part.text}
        </Link>
      ),
    )}
  </span>
);

interface EventLineProps extends EventMessageProps {
  readonly event: EventLike & { readonly at: string };
}

export const EventLine = ({ event, hostnames }: EventLineProps) => (
  <li className={styles.line}>
    <EventDot event={event} />
    <span className={styles.time}>
      <Timestamp at={event.at} format="time" />
    </span>
    <EventMessage event={event} hostnames={hostnames} />
  </li>
);
