import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { isStoppedByOutages } from '#client/blocking-hosts.ts';
import type { HostProgress } from '#client/host-progress.ts';
import type { HostsInOrder } from '#client/hosts-in-order.ts';
import type { HostCounts } from '#client/operation-progress.ts';
import { explainWait, PARTITION_ADVICE } from '#client/operation-words.ts';
import { operationTone } from '#client/tone.ts';
import { numberText } from '../../ui/words/counted.ts';
import { sentence } from '../../ui/words/sentence.ts';
import { BlockedCallout } from './blocked-callout.tsx';
import styles from './standing.module.css';
import { adviceOn, resultOf } from './standing-words.ts';
import type { OperationWhole } from './use-operation.ts';

const MOST_NAMED = 5;

function Failed({
  whole,
  failed,
}: {
  readonly whole: OperationWhole;
  readonly failed: readonly HostProgress[];
}) {
  return (
    <div className={styles.failed}>
      <p>{adviceOn(failed.length, whole)}</p>
      <ul>
        {failed.slice(0, MOST_NAMED).map(({ address, problem }) => (
          <li key={address}>
            <Link
              to="/operations/$id"
              params={{ id: whole.id }}
              search={before => ({ ...before, host: address })}
              replace
              className="mono"
            >
              {address}
            </Link>{' '}
            {problem}
          </li>
        ))}
      </ul>
      {failed.length > MOST_NAMED && (
        <Link
          to="/operations/$id"
          params={{ id: whole.id }}
          search={before => ({ ...before, view: 'list' as const, show: 'failed' as const })}
        >
          View all {numberText(failed.length)} failed hosts
        </Link>
      )}
    </div>
  );
}

interface StandingProps {
  readonly whole: OperationWhole;
  readonly counts: HostCounts;
  readonly hosts: HostsInOrder | undefined;
}

/** Where it stands, in words: what it waits for, how it ended, and what somebody has to do. Nothing while all goes well. */
export const Standing = memo(function Standing({ whole, counts, hosts }: StandingProps) {
  const isOver = whole.status !== 'in_process';
  const isBlocked = isStoppedByOutages(whole) && whole.unavailable_hosts.length > 0;
  // The list of hosts says the same as `problem`, with local times.
  const wait = explainWait(isBlocked ? { ...whole, problem: '' } : whole);
  const failed = counts.failed === 0 ? [] : (hosts?.list.filter(({ state }) => state === 'failed') ?? []);
  if (!isOver && !isBlocked && wait === '' && failed.length === 0) return null;
  return (
    <section
      className={`${styles.standing} ${styles[operationTone(whole.state, counts)]}`}
      aria-label="Operation state"
    >
      {isOver && <p className={styles.result}>{resultOf(whole, counts)}</p>}
      {wait !== '' && <p className={styles.why}>{sentence(wait)}</p>}
      {whole.paused_by === 'partitioned' && <p>{PARTITION_ADVICE.map(sentence).join(' ')}</p>}
      {isBlocked && <BlockedCallout whole={whole} hasFailed={counts.failed > 0} />}
      {failed.length > 0 && <Failed whole={whole} failed={failed} />}
    </section>
  );
});
