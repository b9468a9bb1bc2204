import { useState } from 'react';
import type { ClusterRecord } from '../../clusters/health.ts';
import { healthParts, healthWords } from '../../clusters/health.ts';
import { shownSinceMs } from '../../live/status-history.ts';
import { useClusterHistory } from '../../live/use-status-history.ts';
import { Facts, Panel } from '../../ui/page.tsx';
import { statusSpans } from '../../ui/plots/status-spans.ts';
import { StatusStrip } from '../../ui/plots/status-strip.tsx';
import { DAY_MS, WindowChoice } from '../../ui/plots/window-choice.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { ProportionBar } from '../../ui/proportion-bar.tsx';
import { Status } from '../../ui/status.tsx';
import { useServiceNowMs } from '../../ui/when.tsx';
import styles from './cluster.module.css';

/** So often the strip moves on. */
const MOVE_MS = 5000;

/** How the cluster is, and how it was. */
export function HealthPanel({ cluster }: { readonly cluster: ClusterRecord }) {
  const { name, status, hosts } = cluster;
  const [lengthMs, setLengthMs] = useState(DAY_MS);
  const { data, error } = useClusterHistory(name);
  const nowMs = useServiceNowMs(MOVE_MS);
  const sinceMs = data === undefined ? nowMs : shownSinceMs(data.value, nowMs, lengthMs);
  return (
    <Panel title="Health" actions={<WindowChoice lengthMs={lengthMs} onChoose={setLengthMs} />}>
      <div className={styles.health}>
        <Facts
          of={[
            ['Status', <Status key="status" of={status} />],
            [
              'Hosts',
              <div key="hosts" className={styles.hosts}>
                {healthWords(cluster)}
                <ProportionBar label="Hosts" parts={healthParts(cluster)} total={hosts.total} />
              </div>,
            ],
          ]}
        />
        <ProblemBox problem={error} />
        {data && (
          <StatusStrip
            spans={statusSpans(data.value.changes, { now: status, sinceMs, nowMs })}
            fromMs={sinceMs}
            toMs={nowMs}
            label={`Status of ${name} over time`}
          />
        )}
      </div>
    </Panel>
  );
}
