import { Link } from '@tanstack/react-router';
import type { Static } from 'typebox';
import type { Overview } from '#contract/routes/service.ts';
import { getSeverity } from '#sdk/status-severity.ts';
import type { HostStatus } from '#vocabulary';
import { formatNumber, pluralize, statusText } from '../../ui/format/text.ts';
import { SegmentedBar } from '../../ui/segmented-bar.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import styles from './overview.module.css';

const STATUS_ORDER: readonly HostStatus[] = [
  'active',
  'disassociated',
  'investigating',
  'bootstrapping',
  'unreachable',
  'failed',
];

export function Totals({ hosts, clusters, operations }: Static<typeof Overview>) {
  const counts = STATUS_ORDER.map(status => ({ status, count: hosts.by_status[status] })).filter(
    ({ count }) => count > 0,
  );
  const segments = counts.map(({ status, count }) => ({
    name: statusText(status),
    count,
    severity: getSeverity(status),
  }));
  return (
    <section className={styles.totals} aria-label="Totals">
      <div className={styles.numbers}>
        <Link to="/hosts" className={styles.number}>
          <strong>{formatNumber(hosts.total)}</strong> {pluralize(hosts.total, 'host')}
        </Link>
        <Link to="/clusters" className={styles.number}>
          <strong>{formatNumber(clusters.length)}</strong> {pluralize(clusters.length, 'cluster')}
        </Link>
        <Link to="/operations" search={{ status: 'in_process' }} className={styles.number}>
          <strong>{formatNumber(operations.in_process)}</strong> {pluralize(operations.in_process, 'running operation')}
        </Link>
        {hosts.in_maintenance > 0 && (
          <span className={styles.number}>
            <strong>{formatNumber(hosts.in_maintenance)}</strong> in maintenance
          </span>
        )}
      </div>
      <SegmentedBar label="Hosts by status" segments={segments} size="large" />
      <ul className={styles.legend}>
        {counts.map(({ status, count }) => (
          <li key={status}>
            <Link to="/hosts" search={{ status }}>
              <Badge severity={getSeverity(status)}>{`${formatNumber(count)} ${statusText(status)}`}</Badge>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
