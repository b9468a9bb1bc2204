import { Link } from '@tanstack/react-router';
import { When } from '../ui/when.tsx';
import { EventDot } from './event-dot.tsx';
import styles from './event-line.module.css';
import { partsOf } from './event-sentence.ts';
import type { Happened } from './event-words.ts';
import { eventWords } from './event-words.ts';

/** What happened, in one sentence whose nouns are links. */
export const EventSentence = ({ of }: { readonly of: Happened }) => (
  <span>
    {partsOf(eventWords(of)).map(part =>
      typeof part === 'string' ? (
        part
      ) : (
        <Link
          key={part.at}
          to={part.to}
          {...(part.params && { params: part.params })}
          {...(part.search && { search: part.search })}
        >
          {part.text}
        </Link>
      ),
    )}
  </span>
);

/** The same with its time, as a line of a list. */
export const EventLine = ({ of }: { readonly of: Happened & { readonly at: string } }) => (
  <li className={styles.line}>
    <EventDot of={of} />
    <span className={styles.time}>
      <When at={of.at} as="clock" />
    </span>
    <EventSentence of={of} />
  </li>
);
