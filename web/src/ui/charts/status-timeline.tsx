import { formatDuration } from '#sdk/format.ts';
import type { AnyStatus } from '#sdk/status-severity.ts';
import { fullTime, hourOfDay, minuteTime, secondTime, zoneName } from '../format/dates.ts';
import { statusLabel } from '../format/text.ts';
import severities from '../severity.module.css';
import type { Span } from './status-spans.ts';
import { spanStyle } from './status-spans.ts';
import styles from './status-timeline.module.css';
import { DAY_MS } from './time-range-picker.tsx';

const SHORT_RANGE_MS = 600_000;
const MARKS = [0, 0.25, 0.5, 0.75, 1];

/** Hidden from screen readers, because the label and the table of the chart contain the times. */
export function TimeAxis({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  const rangeMs = toMs - fromMs;
  const format = rangeMs > DAY_MS ? hourOfDay : rangeMs > SHORT_RANGE_MS ? minuteTime : secondTime;
  return (
    <div className={styles.axis} aria-hidden="true" title={formatDuration(rangeMs)}>
      {MARKS.map(mark => (
        <span key={mark}>
          {format(fromMs + mark * rangeMs)}
          {mark === 1 && ` ${zoneName(toMs)}`}
        </span>
      ))}
    </div>
  );
}

// Shows the status over time as coloured spans, and as a table for users who cannot see colours.

interface StatusTimelineProps {
  readonly spans: readonly Span<AnyStatus>[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly label: string;
}

const formatPercent = (share: number) => `${(share * 100).toFixed(3)}%`;
const MAX_ROWS = 100;

function SpanTable({ spans, label }: Pick<StatusTimelineProps, 'spans' | 'label'>) {
  const newest = spans.toReversed().slice(0, MAX_ROWS);
  return (
    <details className={styles.details}>
      <summary>View as table</summary>
      <div className={styles.scroll} role="region" aria-label={`${label} as a table`} tabIndex={0}>
        <table>
          <caption className="sr-only">{label}, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Since</th>
              <th scope="col">Duration</th>
            </tr>
          </thead>
          <tbody>
            {newest.map(({ from, to, status }) => (
              <tr key={from}>
                <th scope="row">{statusLabel(status)}</th>
                <td>{fullTime(from)}</td>
                <td>{formatDuration(to - from)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export function StatusTimeline({ spans, fromMs, toMs, label }: StatusTimelineProps) {
  const rangeMs = Math.max(1, toMs - fromMs);
  const visible = spans.filter(({ from, to }) => to > fromMs && from < toMs);
  const statuses = [...new Set(visible.map(({ status }) => status))];
  return (
    <figure className={styles.figure}>
      <div className={styles.timeline} role="img" aria-label={`${label}: ${statuses.map(statusLabel).join(', ')}`}>
        {visible.map(({ from, to, status }) => {
          const [start, end] = [Math.max(from, fromMs), Math.min(to, toMs)];
          return (
            <span
              key={from}
              className={`${styles.span} ${severities.severity}`}
              {...spanStyle(status)}
              style={{
                left: formatPercent((start - fromMs) / rangeMs),
                width: formatPercent((end - start) / rangeMs),
              }}
              title={`${statusLabel(status)} for ${formatDuration(to - from)}, since ${fullTime(from)}`}
            />
          );
        })}
      </div>
      <TimeAxis fromMs={fromMs} toMs={toMs} />
      <ul className={styles.legend} aria-hidden="true">
        {statuses.map(status => (
          <li key={status} className={severities.severity} {...spanStyle(status)}>
            {statusLabel(status)}
          </li>
        ))}
      </ul>
      <SpanTable spans={visible} label={label} />
    </figure>
  );
}
