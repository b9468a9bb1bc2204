import styles from './event-dot.module.css';
import { eventTone } from './event-tone.ts';
import type { Happened } from './happened.ts';

/** What is to be thought of it, at a glance; the sentence beside it says it in words. */
export const EventDot = ({ of }: { readonly of: Happened }) => (
  <span className={`${styles.dot} ${styles[eventTone(of)]}`} aria-hidden="true" />
);
