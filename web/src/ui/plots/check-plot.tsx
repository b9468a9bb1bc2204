// The last checks of a host as ticks along a time axis. What went wrong is taller and of another colour; the table says it in words.

import { timeOf } from '#client/times.ts';
import type { HealthCheckResult } from '#vocabulary';
import { HEALTH_CHECK_RESULTS } from '#vocabulary';
import { fullTime } from '../words/time-formats.ts';
import styles from './check-plot.module.css';
import { TimeAxis } from './time-axis.tsx';

interface Check {
  readonly at: string;
  readonly result: HealthCheckResult;
}

const countsOf = (checks: readonly Check[]): string =>
  HEALTH_CHECK_RESULTS.map(
    result => [checks.filter(check => check.result === result).length, result] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, result]) => `${count} ${result}`)
    .join(', ');

/** `checks`: the oldest first. */
export function CheckPlot({ checks, label }: { readonly checks: readonly Check[]; readonly label: string }) {
  const times = checks.map(({ at }) => timeOf(at));
  const [fromMs = 0, toMs = 0] = [times.at(0), times.at(-1)];
  const length = Math.max(1, toMs - fromMs);
  return (
    <figure className={styles.figure}>
      <div className={styles.plot} role="img" aria-label={`${label}: ${countsOf(checks)}`}>
        <div className={styles.ticks}>
          {checks.map(({ at, result }) => (
            <span
              key={at}
              className={`${styles.tick} ${styles[result]}`}
              style={{ left: `${(((timeOf(at) - fromMs) / length) * 100).toFixed(2)}%` }}
              title={`${result}, ${fullTime(timeOf(at))}`}
            />
          ))}
        </div>
      </div>
      {checks.length > 1 && <TimeAxis fromMs={fromMs} toMs={toMs} />}
      <details className={styles.details}>
        <summary>{countsOf(checks)}</summary>
        <ol className={styles.list}>
          {checks.toReversed().map(({ at, result }) => (
            <li key={at}>
              {fullTime(timeOf(at))} {result}
            </li>
          ))}
        </ol>
      </details>
    </figure>
  );
}
