import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Static } from 'typebox';
import { isEnded } from '#client/host-progress.ts';
import type { OperationSummary } from '#contract/routes/operations.ts';
import { operationTitle, skippedWords } from '../../operations/operation.ts';
import { OperationState } from '../../operations/operation-state.tsx';
import { useOperationHost } from '../../operations/use-operation-host.ts';
import { Loading } from '../../ui/page.tsx';
import { Preformatted } from '../../ui/preformatted.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Status } from '../../ui/status.tsx';
import { When } from '../../ui/when.tsx';
import { labelOf, wordsOf } from '../../ui/words/status-words.ts';
import styles from './host.module.css';

interface HostInOperationProps {
  readonly address: string;
  readonly operation: Static<typeof OperationSummary>;
}

/** What it came to on this host, and what its steps said. */
function Inside({ address, id }: { readonly address: string; readonly id: string }) {
  const { data: host, error } = useOperationHost(id, address);
  if (host === undefined)
    return error === null ? <Loading what="the output" /> : <ProblemBox problem={error} />;
  return (
    <>
      <ProblemBox problem={error} />
      <p className={styles.row}>
        On this host: <Status of={host.state} />
      </p>
      {host.error && <p className={styles.problem}>{host.error}</p>}
      {host.detail && <p className="soft">{host.detail}</p>}
      {host.already_there && <p className="soft">No changes were needed.</p>}
      {host.skip_reason && <p className="soft">{skippedWords(host.skip_reason)}</p>}
      {host.output.length === 0 && (
        <p className="soft">{isEnded(host.state) ? 'No output.' : 'No output yet.'}</p>
      )}
      {host.output.map(({ step, attempt, at, output }) => (
        <section key={`${step}-${attempt}`} aria-label={`Output of ${wordsOf(step)}`}>
          <p className="soft">
            {labelOf(step)}, attempt {attempt}, <When at={at} as="clock" />
          </p>
          <Preformatted text={output} />
        </section>
      ))}
    </>
  );
}

/** An operation that this host is or was part of. What its steps said may be long, so it is read when somebody opens it. */
export function HostInOperation({ address, operation }: HostInOperationProps) {
  const { id, kind, started_at } = operation;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.operation} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <OperationState {...operation} />
        <span>{operationTitle(operation)}</span>
        <span className={styles.end}>
          Started <When at={started_at} />
        </span>
      </summary>
      {isOpen && (
        <div className={styles.inside}>
          <p>
            <Link to="/operations/$id" params={{ id }} search={{ host: address }}>
              View {kind}
            </Link>
          </p>
          <Inside address={address} id={id} />
        </div>
      )}
    </details>
  );
}
