import { useState } from 'react';
import type { HostStatus } from '#vocabulary';
import { shownSinceMs } from '../../live/status-history.ts';
import { useHostHistory } from '../../live/use-status-history.ts';
import { Panel } from '../../ui/page.tsx';
import { statusSpans } from '../../ui/plots/status-spans.ts';
import { StatusStrip } from '../../ui/plots/status-strip.tsx';
import { DAY_MS, WindowChoice } from '../../ui/plots/window-choice.tsx';
import { Read } from '../../ui/read.tsx';
import { useServiceNowMs } from '../../ui/when.tsx';

/** So often the strip moves on. */
const MOVE_MS = 5000;

/** Which status it had when. */
export function HistoryPanel({ address, status }: { readonly address: string; readonly status: HostStatus }) {
  const [lengthMs, setLengthMs] = useState(DAY_MS);
  const history = useHostHistory(address);
  const nowMs = useServiceNowMs(MOVE_MS);
  return (
    <Panel title="Status history" actions={<WindowChoice lengthMs={lengthMs} onChoose={setLengthMs} />}>
      <Read of={history} what="the status history">
        {({ value }) => {
          const sinceMs = shownSinceMs(value, nowMs, lengthMs);
          return (
            <StatusStrip
              spans={statusSpans(value.changes, { now: status, sinceMs, nowMs })}
              fromMs={sinceMs}
              toMs={nowMs}
              label={`Status of ${address}`}
            />
          );
        }}
      </Read>
    </Panel>
  );
}
