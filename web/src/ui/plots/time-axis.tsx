import { duration } from '#client/times.ts';
import { hourOfDay, minuteTime, secondTime, zoneName } from '../words/time-formats.ts';
import styles from './status-strip.module.css';
import { DAY_MS } from './window-choice.tsx';

const SHORT_MS = 600_000;
const MARKS = [0, 0.25, 0.5, 0.75, 1];

/** When that was, below a plot. What is heard says it in words. */
export function TimeAxis({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  const lengthMs = toMs - fromMs;
  const format = lengthMs > DAY_MS ? hourOfDay : lengthMs > SHORT_MS ? minuteTime : secondTime;
  return (
    <div className={styles.axis} aria-hidden="true" title={duration(lengthMs)}>
      {MARKS.map(mark => (
        <span key={mark}>
          {format(fromMs + mark * lengthMs)}
          {mark === 1 && ` ${zoneName(toMs)}`}
        </span>
      ))}
    </div>
  );
}
