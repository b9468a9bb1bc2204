import { SegmentedControl } from '../segmented-control.tsx';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const TIME_RANGES = [
  [HOUR_MS, 'Last hour'],
  [DAY_MS, 'Last 24 hours'],
  [7 * DAY_MS, 'Last 7 days'],
] as const;

interface TimeRangePickerProps {
  readonly rangeMs: number;
  readonly onSelect: (rangeMs: number) => void;
}

export const TimeRangePicker = ({ rangeMs, onSelect }: TimeRangePickerProps) => (
  <SegmentedControl<number> label="Time range" options={TIME_RANGES} selected={rangeMs} onSelect={onSelect} />
);
