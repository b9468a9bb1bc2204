import { duration } from '#client/times.ts';
import styles from './status-strip.module.css';

const DAY_MS = 86_400_000;
const SHORT_MS = 600_000;
const SECONDS = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit' });
const MARKS = [0, 0.25, 0.5, 0.75, 1];

/** When that was, below a plot. What is heard says it in words. */
export function TimeAxis({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  const lengthMs = toMs - fromMs;
  const format = lengthMs > DAY_MS ? DAY : lengthMs > SHORT_MS ? CLOCK : SECONDS;
  return (
    <div className={styles.axis} aria-hidden="true" title={duration(lengthMs)}>
      {MARKS.map(mark => (
        <span key={mark}>{format.format(fromMs + mark * lengthMs)}</span>
      ))}
    </div>
  );
}
