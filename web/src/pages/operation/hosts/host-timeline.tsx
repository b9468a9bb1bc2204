import { useMemo } from 'react';
import { formatDuration } from '#sdk/format.ts';
import type { HostProgress, OrderedHosts } from '#sdk/host-progress.ts';
import { displayName } from '#sdk/host-progress.ts';
import { statusText } from '../../../ui/format/text.ts';
import { EmptyState } from '../../../ui/page.tsx';
import { useNowMs } from '../../../ui/timestamp.tsx';
import styles from './host-timeline.module.css';
import { OpenHostLink, PhaseBar, PhaseIcon } from './legend.tsx';
import { displayGroupOf, formatHostState } from './phase-groups.ts';
import { timelineHosts, timelineRange, toPhaseSpans } from './phase-spans.ts';

interface HostTimelineProps {
  readonly id: string;
  readonly hosts: OrderedHosts;
  readonly clockOffsetMs: number;
}

const MAX_ROWS = 50;

interface TimelineRowProps {
  readonly id: string;
  readonly host: HostProgress;
  readonly fromMs: number;
  readonly toMs: number;
}

function TimelineRow({ id, host, fromMs, toMs }: TimelineRowProps) {
  const spans = toPhaseSpans(host.phases, toMs);
  const rangeMs = Math.max(1, toMs - fromMs);
  const phasesText = spans
    .map(span => `${statusText(span.phase)} ${formatDuration(span.toMs - span.fromMs)}`)
    .join(', ');
  return (
    <li className={styles.row}>
      <OpenHostLink id={id} host={host} className={styles.name}>
        <PhaseIcon group={displayGroupOf(host.state)} /> {displayName(host)}
      </OpenHostLink>
      <div className={styles.track} title={phasesText}>
        <span className="sr-only">
          {formatHostState(host)}: {phasesText}
        </span>
        {spans.map(span => (
          <PhaseBar
            key={`${span.attempt} ${span.phase} ${span.fromMs}`}
            span={span}
            className={styles.bar}
            fromMs={fromMs}
            rangeMs={rangeMs}
          />
        ))}
      </div>
    </li>
  );
}

/** Hosts in flight and hosts that ended last, over time. */
export function HostTimeline({ id, hosts, clockOffsetMs }: HostTimelineProps) {
  const visible = useMemo(() => timelineHosts(hosts.list, MAX_ROWS), [hosts]);
  const { fromMs, toMs, isOngoing } = timelineRange(visible, useNowMs() + clockOffsetMs);
  if (visible.length === 0)
    return (
      <EmptyState title="No hosts in flight yet">
        <p>Phases appear here when the first host starts.</p>
      </EmptyState>
    );
  return (
    <div className={styles.timeline}>
      <p className={styles.axis} aria-hidden="true">
        <span>{isOngoing ? `${formatDuration(toMs - fromMs)} ago` : 'start'}</span>
        <span>{isOngoing ? 'now' : 'end'}</span>
      </p>
      <ol className={styles.rows} aria-label="Hosts in flight and hosts that finished last">
        {visible.map(host => (
          <TimelineRow key={host.address} id={id} host={host} fromMs={fromMs} toMs={toMs} />
        ))}
      </ol>
    </div>
  );
}
