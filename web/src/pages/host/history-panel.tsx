import { useState } from 'react';
import { timeOf } from '#client/times.ts';
import type { HostStatus } from '#vocabulary';
import { Loading, Panel } from '../../ui/page.tsx';
import { StatusStrip } from '../../ui/plots/status-strip.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { useNowMs } from '../../ui/when.tsx';
import styles from './host.module.css';
import { statusSpans } from './status-spans.ts';
import { useHostHistory } from './use-host.ts';

const HOUR_MS = 3_600_000;
const WINDOWS = [
  { title: 'Hour', ms: HOUR_MS },
  { title: 'Day', ms: 24 * HOUR_MS },
  { title: 'Week', ms: 7 * 24 * HOUR_MS },
] as const;

/** So often the strip moves on. */
const MOVE_MS = 5000;

/** Which status it had when. */
export function HistoryPanel({ address, status }: { readonly address: string; readonly status: HostStatus }) {
  const [lengthMs, setLengthMs] = useState<number>(24 * HOUR_MS);
  const { data, error } = useHostHistory(address);
  const nowMs = useNowMs(MOVE_MS);
  const oldest = data?.isCut ? data.changes.at(-1)?.at : undefined;
  const knownMs = [data?.createdAt, oldest].filter(at => at !== undefined).map(timeOf);
  const fromMs = Math.max(nowMs - lengthMs, ...knownMs);
  return (
    <Panel
      title="Status over time"
      actions={
        <div className={styles.segments} role="group" aria-label="How far back">
          {WINDOWS.map(({ title, ms }) => (
            <button key={title} type="button" aria-pressed={ms === lengthMs} onClick={() => setLengthMs(ms)}>
              {title}
            </button>
          ))}
        </div>
      }
    >
      <ProblemBox problem={error} />
      {data === undefined && !error && <Loading what="its history" />}
      {data && (
        <StatusStrip
          spans={statusSpans(data.changes, { now: status, sinceMs: fromMs, nowMs })}
          fromMs={fromMs}
          toMs={nowMs}
          label={`Status of ${address}`}
        />
      )}
    </Panel>
  );
}
