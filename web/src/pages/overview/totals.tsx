import { Link } from '@tanstack/react-router';
import type { Static } from 'typebox';
import { toneOf } from '#client/tone.ts';
import type { Overview } from '#contract/routes/overview.ts';
import type { HostStatus } from '#vocabulary';
import { ProportionBar } from '../../ui/proportion-bar.tsx';
import { Badge } from '../../ui/status.tsx';
import { numberText, pluralOf } from '../../ui/words/counted.ts';
import { statusWords } from '../../ui/words/status-words.ts';
import styles from './overview.module.css';

/** From well to bad. */
const ORDER: readonly HostStatus[] = [
  'active',
  'disassociated',
  'investigating',
  'bootstrapping',
  'unreachable',
  'failed',
];

/** All hosts in one line: by status, each a link to those hosts. */
export function Totals({ hosts, clusters, operations }: Static<typeof Overview>) {
  const counts = ORDER.map(status => ({ status, count: hosts.by_status[status] })).filter(
    ({ count }) => count > 0,
  );
  const parts = counts.map(({ status, count }) => ({
    ...{ name: statusWords(status), count },
    tone: toneOf(status),
  }));
  return (
    <section className={styles.totals} aria-label="Totals">
      <div className={styles.numbers}>
        <Link to="/hosts" className={styles.number}>
          <strong>{numberText(hosts.total)}</strong> {pluralOf(hosts.total, 'host')}
        </Link>
        <Link to="/clusters" className={styles.number}>
          <strong>{numberText(clusters.length)}</strong> {pluralOf(clusters.length, 'cluster')}
        </Link>
        <Link to="/operations" search={{ status: 'in_process' }} className={styles.number}>
          <strong>{numberText(operations.in_process)}</strong>{' '}
          {pluralOf(operations.in_process, 'running operation')}
        </Link>
        {hosts.in_maintenance > 0 && (
          <span className={styles.number}>
            <strong>{numberText(hosts.in_maintenance)}</strong> in maintenance
          </span>
        )}
      </div>
      <ProportionBar label="Hosts by status" parts={parts} size="large" />
      <ul className={styles.legend}>
        {counts.map(({ status, count }) => (
          <li key={status}>
            <Link to="/hosts" search={{ status }}>
              <Badge tone={toneOf(status)}>{`${numberText(count)} ${statusWords(status)}`}</Badge>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
