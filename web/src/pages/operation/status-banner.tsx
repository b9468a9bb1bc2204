import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { isStoppedByOutages } from '#sdk/blocking-hosts.ts';
import type { HostProgress, OrderedHosts } from '#sdk/host-progress.ts';
import type { HostCounts } from '#sdk/operation-progress.ts';
import { describeWait, PARTITION_ADVICE } from '#sdk/operation-text.ts';
import { getOperationSeverity } from '#sdk/status-severity.ts';
import { useCluster } from '../../clusters/queries.ts';
import { OutageActions, OutageList } from '../../operations/outage-list.tsx';
import { formatNumber, toSentence } from '../../ui/format/text.ts';
import { ActionButton } from './action-buttons.tsx';
import { OpenHostLink } from './hosts/legend.tsx';
import type { OperationDetails } from './queries.ts';
import styles from './status-banner.module.css';
import { failureAdvice, formatOutcome, formatStopReason } from './status-banner-text.ts';

interface BlockedCalloutProps {
  readonly operation: OperationDetails;
  readonly hasFailed: boolean;
}

function BlockedCallout({ operation, hasFailed }: BlockedCalloutProps) {
  const { id, can, cluster, unavailable_hosts: hosts } = operation;
  const { data } = useCluster(cluster);
  return (
    <>
      <p>{formatStopReason(operation, data?.cluster.hosts.total)}</p>
      <OutageList hosts={hosts} />
      {can.includes('retry') && (
        <OutageActions>
          <ActionButton
            id={id}
            action="retry"
            variant="primary"
            size="small"
            exclude={hosts.map(({ address }) => address)}
          />
          <ActionButton id={id} action="retry" size="small" hasFailed={hasFailed} />
        </OutageActions>
      )}
    </>
  );
}

const MAX_LISTED = 5;

interface FailedHostsProps {
  readonly operation: OperationDetails;
  readonly failed: readonly HostProgress[];
}

function FailedHosts({ operation, failed }: FailedHostsProps) {
  return (
    <div className={styles.failed}>
      <p>{failureAdvice(failed.length, operation)}</p>
      <ul>
        {failed.slice(0, MAX_LISTED).map(host => (
          <li key={host.address}>
            <OpenHostLink id={operation.id} host={host} /> {host.problem}
          </li>
        ))}
      </ul>
      {failed.length > MAX_LISTED && (
        <Link
          to="/operations/$id"
          params={{ id: operation.id }}
          search={previous => ({ ...previous, view: 'list' as const, show: 'failed' as const })}
        >
          View all {formatNumber(failed.length)} failed hosts
        </Link>
      )}
    </div>
  );
}

interface StatusBannerProps {
  readonly operation: OperationDetails;
  readonly counts: HostCounts;
  readonly hosts: OrderedHosts | undefined;
}

/**
 * Explains what the operation waits for, how it ended and what the user can do. Renders nothing while the operation
 * runs normally.
 */
export const StatusBanner = memo(function StatusBanner({ operation, counts, hosts }: StatusBannerProps) {
  const hasEnded = operation.status !== 'in_process';
  const isBlocked = isStoppedByOutages(operation) && operation.unavailable_hosts.length > 0;
  // The list of hosts contains the same information as `problem`, with local times.
  const waitText = describeWait(isBlocked ? { ...operation, problem: '' } : operation);
  const failed = counts.failed === 0 ? [] : (hosts?.list.filter(({ state }) => state === 'failed') ?? []);
  if (!hasEnded && !isBlocked && waitText === '' && failed.length === 0) return null;
  return (
    <section
      className={`${styles.banner} ${styles[getOperationSeverity(operation.state, counts)]}`}
      aria-label="Operation state"
    >
      {hasEnded && <p className={styles.result}>{formatOutcome(operation, counts)}</p>}
      {waitText !== '' && <p className={styles.reason}>{toSentence(waitText)}</p>}
      {operation.paused_by === 'partitioned' && <p>{PARTITION_ADVICE.map(toSentence).join(' ')}</p>}
      {isBlocked && <BlockedCallout operation={operation} hasFailed={counts.failed > 0} />}
      {failed.length > 0 && <FailedHosts operation={operation} failed={failed} />}
    </section>
  );
});
