import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { HostProgress } from '#client/host-progress.ts';
import type { HostsInOrder } from '#client/hosts-in-order.ts';
import { duration } from '#client/times.ts';
import { Empty } from '../../../ui/page.tsx';
import { useNowMs } from '../../../ui/when.tsx';
import { statusWords } from '../../../ui/words/status-words.ts';
import { ganttTimes } from './gantt-times.ts';
import styles from './host-gantt.module.css';
import { paintOf, stateWords } from './host-paint.ts';
import paint from './paint.module.css';
import { hostsOverTime, spansOf } from './phase-spans.ts';
import { Swatch } from './swatch.tsx';

interface HostGanttProps {
  readonly id: string;
  readonly hosts: HostsInOrder;
  readonly aheadMs: number;
}

const MOST_ROWS = 50;

interface RowProps {
  readonly id: string;
  readonly host: HostProgress;
  readonly fromMs: number;
  readonly toMs: number;
}

function Row({ id, host, fromMs, toMs }: RowProps) {
  const spans = spansOf(host.phases, toMs);
  const wholeMs = Math.max(1, toMs - fromMs);
  const words = spans
    .map(span => `${statusWords(span.phase)} ${duration(span.toMs - span.fromMs)}`)
    .join(', ');
  return (
    <li className={styles.row}>
      <Link
        to="/operations/$id"
        params={{ id }}
        search={before => ({ ...before, host: host.address })}
        replace
        className={styles.name}
      >
        <Swatch of={paintOf(host.state)} /> {host.address}
      </Link>
      <div className={styles.track} title={words}>
        <span className="heard">
          {stateWords(host)}: {words}
        </span>
        {spans.map(span => (
          <span
            key={`${span.attempt} ${span.phase} ${span.fromMs}`}
            className={`${styles.bar} ${paint.painted}`}
            data-paint={paintOf(span.phase)}
            style={{
              left: `${((span.fromMs - fromMs) / wholeMs) * 100}%`,
              width: `${((span.toMs - span.fromMs) / wholeMs) * 100}%`,
            }}
          />
        ))}
      </div>
    </li>
  );
}

/** Hosts over time: those in flight, and those that ended last. */
export function HostGantt({ id, hosts, aheadMs }: HostGanttProps) {
  const shown = useMemo(() => hostsOverTime(hosts.list, MOST_ROWS), [hosts]);
  const { fromMs, toMs, isGoing } = ganttTimes(shown, useNowMs() + aheadMs);
  if (shown.length === 0)
    return (
      <Empty title="No hosts in flight yet">
        <p>Phases appear here when the first host starts.</p>
      </Empty>
    );
  return (
    <div className={styles.gantt}>
      <p className={styles.axis} aria-hidden="true">
        <span>{isGoing ? `${duration(toMs - fromMs)} ago` : 'start'}</span>
        <span>{isGoing ? 'now' : 'end'}</span>
      </p>
      <ol className={styles.rows} aria-label="Hosts in flight and hosts that finished last">
        {shown.map(host => (
          <Row key={host.address} id={id} host={host} fromMs={fromMs} toMs={toMs} />
        ))}
      </ol>
    </div>
  );
}
