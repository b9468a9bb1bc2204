import { formatDuration } from '#sdk/format.ts';
import type { PhaseStart } from '#sdk/host-progress.ts';
import { statusLabel } from '../../../ui/format/text.ts';
import { useNowMs } from '../../../ui/timestamp.tsx';
import { PhaseBar, PhaseIcon } from './legend.tsx';
import { displayGroupOf } from './phase-groups.ts';
import type { PhaseSpan } from './phase-spans.ts';
import { groupByAttempt, toPhaseSpans } from './phase-spans.ts';
import styles from './phase-timeline.module.css';

function AttemptPhases({ spans }: { readonly spans: readonly PhaseSpan[] }) {
  const fromMs = spans[0]?.fromMs ?? 0;
  const totalMs = Math.max(1, (spans.at(-1)?.toMs ?? 0) - fromMs);
  return (
    <ol className={styles.phases}>
      {spans.map(span => (
        <li key={`${span.phase} ${span.fromMs}`}>
          <span>
            <PhaseIcon group={displayGroupOf(span.phase)} /> {statusLabel(span.phase)}
          </span>
          <span className={styles.track}>
            <PhaseBar span={span} className={styles.bar} fromMs={fromMs} rangeMs={totalMs} />
          </span>
          <span className={styles.length}>
            {formatDuration(span.toMs - span.fromMs)}
            {span.isOpen && <span className="sr-only"> so far</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

interface PhaseTimelineProps {
  readonly phases: readonly PhaseStart[];
  readonly emptyText: string;
  readonly clockOffsetMs: number;
}

export function PhaseTimeline({ phases, emptyText, clockOffsetMs }: PhaseTimelineProps) {
  const attempts = groupByAttempt(toPhaseSpans(phases, useNowMs() + clockOffsetMs));
  if (attempts.length === 0) return <p className={styles.none}>{emptyText}</p>;
  return attempts.map(([attempt, spans]) => (
    <div key={attempt}>
      {attempts.length > 1 && <h4 className={styles.attempt}>Attempt {attempt}</h4>}
      <AttemptPhases spans={spans} />
    </div>
  ));
}
