import styles from './counts-bar.module.css';

/** How many hosts of an operation are how far. */
export interface HostCounts {
  readonly total: number;
  readonly pending: number;
  readonly preparing: number;
  readonly in_flight: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
}

const PARTS = ['done', 'failed', 'skipped', 'in_flight', 'preparing'] as const;

const WORDS = {
  ...{ failed: 'failed', skipped: 'skipped', in_flight: 'in flight', preparing: 'preparing' },
  pending: 'waiting',
};

/** In words: what is not zero. */
export const countsWords = (counts: HostCounts): string =>
  [
    `${counts.done.toLocaleString()} of ${counts.total.toLocaleString()} done`,
    ...(['failed', 'skipped', 'in_flight', 'preparing', 'pending'] as const)
      .filter(part => counts[part] > 0)
      .map(part => `${counts[part].toLocaleString()} ${WORDS[part]}`),
  ].join(', ');

interface CountsBarProps {
  readonly counts: HostCounts;
  readonly size?: 'usual' | 'small';
}

/** How far an operation is, as a bar of its hosts. */
export const CountsBar = ({ counts, size = 'usual' }: CountsBarProps) => (
  <div className={`${styles.bar} ${styles[size]}`} role="img" aria-label={countsWords(counts)}>
    {PARTS.filter(part => counts[part] > 0).map(part => (
      <span
        key={part}
        className={styles[part]}
        style={{ width: `${(counts[part] / Math.max(1, counts.total)) * 100}%` }}
      />
    ))}
  </div>
);
