import { memo } from 'react';
import { formatDuration } from '#sdk/format.ts';
import type { OrderedHosts } from '#sdk/host-progress.ts';
import type { HostCounts } from '#sdk/operation-progress.ts';
import { estimateRemainingMs } from '#sdk/remaining-time.ts';
import { HostProgressBar, OperationDuration } from '../../operations/operation-badge.tsx';
import { formatCounts } from '../../operations/operation-summary.ts';
import { OutageList } from '../../operations/outage-list.tsx';
import { rolloutSummary } from '../../policy/policy-summary.ts';
import { formatCount, formatNumber } from '../../ui/format/text.ts';
import { Panel } from '../../ui/page.tsx';
import { Timestamp, useNowMs } from '../../ui/timestamp.tsx';
import type { OperationDetails } from './queries.ts';
import styles from './summary-panels.module.css';

interface MeterProps {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  readonly policyValue: number | string;
  readonly severity: 'busy' | 'warn';
}

function Meter({ name, used, limit, policyValue, severity }: MeterProps) {
  const share = used === 0 ? 0 : Math.min(1, used / Math.max(1, limit));
  const limitText =
    String(policyValue) === String(limit) ? formatNumber(limit) : `${policyValue}: ${formatCount(limit, 'host')}`;
  return (
    <div className={styles.meter}>
      <p>
        <span>{name}</span>
        <span className={styles.amount}>
          <strong>{formatNumber(used)}</strong> (limit {limitText})
        </span>
      </p>
      <div
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.max(limit, used)}
        aria-valuenow={used}
        aria-valuetext={`${used} (limit ${limitText})`}
        className={styles.track}
      >
        <span className={styles[used > limit ? 'bad' : severity]} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

interface BudgetPanelProps {
  readonly operation: OperationDetails;
  readonly inFlight: number;
}

export const BudgetPanel = ({ operation: { budget, policy, unavailable_hosts }, inFlight }: BudgetPanelProps) => (
  <Panel title="Budget">
    <div className={styles.body}>
      <Meter
        name="Unavailable"
        used={budget.unavailable}
        limit={budget.max_unavailable}
        policyValue={policy.max_unavailable}
        severity="busy"
      />
      {unavailable_hosts.length > 0 && (
        <div className={styles.outages}>
          <p>
            {formatCount(inFlight, 'host')} in flight, {formatCount(unavailable_hosts.length, 'other host')}{' '}
            unavailable:
          </p>
          <OutageList hosts={unavailable_hosts} />
        </div>
      )}
      <Meter
        name="Failed"
        used={budget.failed}
        limit={budget.max_failures}
        policyValue={policy.max_failures}
        severity="warn"
      />
      <ul className="muted">
        {rolloutSummary(policy).map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  </Panel>
);

/** Renders nothing until the rate is known. */
function RemainingTime({ hosts, clockOffsetMs }: { readonly hosts: OrderedHosts; readonly clockOffsetMs: number }) {
  const remainingMs = estimateRemainingMs(hosts.list, useNowMs() + clockOffsetMs);
  if (remainingMs === undefined || remainingMs < 1000) return null;
  return <> · about {formatDuration(remainingMs)} remaining</>;
}

interface ProgressPanelProps {
  readonly operation: OperationDetails;
  readonly counts: HostCounts;
  readonly hosts: OrderedHosts | undefined;
}

export const ProgressPanel = memo(function ProgressPanel({ operation, counts, hosts }: ProgressPanelProps) {
  const { done, total } = counts;
  const hasEnded = operation.finished_at !== null;
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return (
    <Panel title="Progress">
      <div className={styles.body}>
        <p className={styles.large}>
          {formatNumber(done)} <small>of {formatCount(total, 'host')} done</small>
          <span className={styles.percent}>{percent}%</span>
        </p>
        <HostProgressBar counts={counts} hasEnded={hasEnded} size="large" />
        {total > 0 && <p className="muted">{formatCounts(counts, hasEnded)}</p>}
        {operation.version !== undefined && (
          <p className={`muted ${styles.version}`}>
            Version <code>{operation.version}</code>
          </p>
        )}
        <p className="muted">
          Started {operation.started_by !== '' && `by ${operation.started_by}, `}
          <Timestamp at={operation.started_at} /> · {operation.finished_at === null ? 'running for' : 'took'}{' '}
          <OperationDuration {...operation} />
          {hosts !== undefined && operation.state === 'running' && (
            <RemainingTime hosts={hosts} clockOffsetMs={operation.clockOffsetMs} />
          )}
        </p>
      </div>
    </Panel>
  );
});
