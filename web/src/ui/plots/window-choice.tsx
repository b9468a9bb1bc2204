import styles from './window-choice.module.css';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const WINDOWS = [
  { title: 'Last hour', ms: HOUR_MS },
  { title: 'Last 24 hours', ms: DAY_MS },
  { title: 'Last 7 days', ms: 7 * DAY_MS },
] as const;

interface WindowChoiceProps {
  readonly lengthMs: number;
  readonly onChoose: (lengthMs: number) => void;
}

/** How far back a plot goes. */
export const WindowChoice = ({ lengthMs, onChoose }: WindowChoiceProps) => (
  <div className={styles.segments} role="group" aria-label="Time range">
    {WINDOWS.map(({ title, ms }) => (
      <button key={title} type="button" aria-pressed={ms === lengthMs} onClick={() => onChoose(ms)}>
        {title}
      </button>
    ))}
  </div>
);
