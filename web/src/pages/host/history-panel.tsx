import { useState } from 'react';
import type { HostStatus } from '#vocabulary';
import { shownSinceMs } from '../../live/status-history.ts';
import { useHostHistory } from '../../live/use-status-history.ts';
import { Loading, Panel } from '../../ui/page.tsx';
import { statusSpans } from '../../ui/plots/status-spans.ts';
import { StatusStrip } from '../../ui/plots/status-strip.tsx';
import { DAY_MS, WindowChoice } from '../../ui/plots/window-choice.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { useServiceNowMs } from '../../ui/when.tsx';

/** So often the strip moves on. */
const MOVE_MS = 5000;

/** Which status it had when. */
export function HistoryPanel({ address, status }: { readonly address: string; readonly status: HostStatus }) {
  const [lengthMs, setLengthMs] = useState(DAY_MS);
  const { data, error } = useHostHistory(address);
  const nowMs = useServiceNowMs(MOVE_MS);
  const sinceMs = data === undefined ? nowMs : shownSinceMs(data.value, nowMs, lengthMs);
  return (
    <Panel title="Status over time" actions={<WindowChoice lengthMs={lengthMs} onChoose={setLengthMs} />}>
      <ProblemBox problem={error} />
      {data === undefined && !error && <Loading what="its history" />}
      {data && (
        <StatusStrip
          spans={statusSpans(data.value.changes, { now: status, sinceMs, nowMs })}
          fromMs={sinceMs}
          toMs={nowMs}
          label={`Status of ${address}`}
        />
      )}
    </Panel>
  );
}
