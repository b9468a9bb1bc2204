import styles from './time-range-picker.module.css';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const TIME_RANGES = [
  { title: 'Last hour', ms: HOUR_MS },
  { title: 'Last 24 hours', ms: DAY_MS },
  { title: 'Last 7 days', ms: 7 * DAY_MS },
] as const;

interface TimeRangePickerProps {
  readonly rangeMs: number;
  readonly onSelect: (rangeMs: number) => void;
}

export const TimeRangePicker = ({ rangeMs, onSelect }: TimeRangePickerProps) => (
  <div className={styles.segments} role="group" aria-label="Time range">
    {TIME_RANGES.map(({ title, ms }) => (
      <button key={title} type="button" aria-pressed={ms === rangeMs} onClick={() => onSelect(ms)}>
        {title}
      </button>
    ))}
  </div>
);
