import type { PhaseBegun } from '#client/host-progress.ts';
import { duration } from '#client/times.ts';
import { useNowMs } from '../../../ui/when.tsx';
import { statusLabel } from '../../../ui/words/status-words.ts';
import { paintOf } from './host-paint.ts';
import paint from './paint.module.css';
import type { PhaseSpan } from './phase-spans.ts';
import { byAttempt, spansOf } from './phase-spans.ts';
import styles from './phase-timeline.module.css';
import { Swatch } from './swatch.tsx';

function Attempt({ spans }: { readonly spans: readonly PhaseSpan[] }) {
  const fromMs = spans[0]?.fromMs ?? 0;
  const wholeMs = Math.max(1, (spans.at(-1)?.toMs ?? 0) - fromMs);
  return (
    <ol className={styles.phases}>
      {spans.map(span => (
        <li key={`${span.phase} ${span.fromMs}`}>
          <span>
            <Swatch of={paintOf(span.phase)} /> {statusLabel(span.phase)}
          </span>
          <span className={styles.track}>
            <span
              className={`${paint.painted} ${styles.bar}`}
              data-paint={paintOf(span.phase)}
              style={{
                left: `${((span.fromMs - fromMs) / wholeMs) * 100}%`,
                width: `${((span.toMs - span.fromMs) / wholeMs) * 100}%`,
              }}
            />
          </span>
          <span className={styles.length}>
            {duration(span.toMs - span.fromMs)}
            {span.isOpen && <span className="heard"> so far</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

interface PhaseTimelineProps {
  readonly phases: readonly PhaseBegun[];
  readonly aheadMs: number;
}

/** How long each phase of a host has taken; what goes on ticks. */
export function PhaseTimeline({ phases, aheadMs }: PhaseTimelineProps) {
  const attempts = byAttempt(spansOf(phases, useNowMs() + aheadMs));
  if (attempts.length === 0) return <p className={styles.none}>Not started yet.</p>;
  return attempts.map(([attempt, spans]) => (
    <div key={attempt}>
      {attempts.length > 1 && <h4 className={styles.attempt}>Attempt {attempt}</h4>}
      <Attempt spans={spans} />
    </div>
  ));
}
