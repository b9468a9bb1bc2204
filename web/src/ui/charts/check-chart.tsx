// The last checks of a host as ticks on a time axis. Failed checks are taller and coloured; a list below contains the
// same data as text.

import { parseWireTime } from '#sdk/format.ts';
import type { HealthCheckResult } from '#vocabulary';
import { HEALTH_CHECK_RESULTS } from '#vocabulary';
import { fullTime } from '../format/dates.ts';
import styles from './check-chart.module.css';
import { TimeAxis } from './status-timeline.tsx';

interface Check {
  readonly at: string;
  readonly result: HealthCheckResult;
}

const formatCounts = (checks: readonly Check[]): string =>
  HEALTH_CHECK_RESULTS.map(result => [checks.filter(check => check.result === result).length, result] as const)
    .filter(([count]) => count > 0)
    .map(([count, result]) => `${count} ${result}`)
    .join(', ');

/** `checks`: oldest first. */
export function CheckChart({ checks, label }: { readonly checks: readonly Check[]; readonly label: string }) {
  const times = checks.map(({ at }) => parseWireTime(at));
  const [fromMs = 0, toMs = 0] = [times.at(0), times.at(-1)];
  const rangeMs = Math.max(1, toMs - fromMs);
  return (
    <figure className={styles.figure}>
      <div className={styles.chart} role="img" aria-label={`${label}: ${formatCounts(checks)}`}>
        <div className={styles.ticks}>
          {checks.map(({ at, result }) => (
            <span
              key={at}
              className={`${styles.tick} ${styles[result]}`}
              style={{ left: `${(((parseWireTime(at) - fromMs) / rangeMs) * 100).toFixed(2)}%` }}
              title={`${result}, ${fullTime(parseWireTime(at))}`}
            />
          ))}
        </div>
      </div>
      {checks.length > 1 && <TimeAxis fromMs={fromMs} toMs={toMs} />}
      <details className={styles.details}>
        <summary>{formatCounts(checks)}</summary>
        <ol className={styles.list}>
          {checks.toReversed().map(({ at, result }) => (
            <li key={at}>
              {fullTime(parseWireTime(at))} {result}
            </li>
          ))}
        </ol>
      </details>
    </figure>
  );
}
