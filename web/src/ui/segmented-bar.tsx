import type { Severity } from '#sdk/status-severity.ts';
import { formatNumber } from './format/text.ts';
import styles from './segmented-bar.module.css';

type Phase = 'done' | 'failed' | 'skipped' | 'in_flight' | 'waiting';

export interface Segment {
  readonly name: string;
  readonly count: number;
  readonly severity: Severity | Phase;
}

interface SegmentedBarProps {
  readonly label: string;
  readonly segments: readonly Segment[];
  readonly total?: number;
  readonly size?: 'medium' | 'large';
}

const sumCounts = (segments: readonly Segment[]) => segments.reduce((sum, { count }) => sum + count, 0);

/**
 * Every segment has a minimum width. Text next to the bar must contain the same information, because colour alone is
 * not accessible.
 */
export function SegmentedBar({ label, segments, total = sumCounts(segments), size = 'medium' }: SegmentedBarProps) {
  const visible = segments.filter(({ count }) => count > 0);
  const rest = Math.max(0, total - sumCounts(segments));
  const text = visible.map(({ name, count }) => `${formatNumber(count)} ${name}`).join(', ');
  return (
    <div className={`${styles.bar} ${styles[size]}`} role="img" aria-label={`${label}: ${text || 'none'}`}>
      {visible.map(({ name, count, severity }) => (
        <span
          key={name}
          className={styles[severity]}
          style={{ flexGrow: count }}
          title={`${formatNumber(count)} ${name}`}
        />
      ))}
      {(rest > 0 || total === 0) && <span style={{ flexGrow: rest || 1 }} />}
    </div>
  );
}
