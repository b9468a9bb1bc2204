import { memo } from 'react';
import type { HostsInOrder } from '#client/hosts-in-order.ts';
import { estimateMs } from '#client/operation-estimate.ts';
import type { HostCounts } from '#client/operation-progress.ts';
import { duration } from '#client/times.ts';
import { Elapsed } from '../../operations/elapsed.tsx';
import { HostBar } from '../../operations/host-bar.tsx';
import { allCountsWords } from '../../operations/host-counts.ts';
import { Panel } from '../../ui/page.tsx';
import { useNowMs, When } from '../../ui/when.tsx';
import { counted, numberText } from '../../ui/words/counted.ts';
import styles from './panels.module.css';
import type { OperationWhole } from './use-operation.ts';

/** About how long the rest will take, when a pace is known. */
function Rest({ hosts, aheadMs }: { readonly hosts: HostsInOrder; readonly aheadMs: number }) {
  const restMs = estimateMs(hosts.list, useNowMs() + aheadMs);
  if (restMs === undefined || restMs < 1000) return null;
  return <> · about {duration(restMs)} remaining</>;
}

interface ProgressPanelProps {
  readonly whole: OperationWhole;
  readonly counts: HostCounts;
  /** `undefined`: they are not read yet. */
  readonly hosts: HostsInOrder | undefined;
}

/** How far it is. */
export const ProgressPanel = memo(function ProgressPanel({ whole, counts, hosts }: ProgressPanelProps) {
  const { done, total } = counts;
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return (
    <Panel title="Progress">
      <div className={styles.body}>
        <p className={styles.large}>
          {numberText(done)} <small>of {counted(total, 'host')} done</small>
          <span className={styles.percent}>{percent}%</span>
        </p>
        <HostBar counts={counts} size="large" />
        {total > 0 && <p className="soft">{allCountsWords(counts)}</p>}
        {whole.version !== undefined && (
          <p className={`soft ${styles.version}`}>
            Version <code>{whole.version}</code>
          </p>
        )}
        <p className="soft">
          Started {whole.started_by !== '' && `by ${whole.started_by}, `}
          <When at={whole.started_at} /> · {whole.finished_at === null ? 'running for' : 'took'}{' '}
          <Elapsed startedAt={whole.started_at} finishedAt={whole.finished_at} />
          {hosts !== undefined && whole.state === 'running' && <Rest hosts={hosts} aheadMs={whole.aheadMs} />}
        </p>
      </div>
    </Panel>
  );
});
