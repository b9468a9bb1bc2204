import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isEnded } from '#sdk/host-progress.ts';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { OperationBadge } from '../../operations/operation-badge.tsx';
import type { Operation } from '../../operations/operation-summary.ts';
import { formatSkipReason, operationTitle } from '../../operations/operation-summary.ts';
import { useOperationHost } from '../../operations/queries.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { toLabel, toText } from '../../ui/format/text.ts';
import { Loading, Panel, QueryView } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import styles from './host.module.css';

function HostOutput({ address, id }: { readonly address: string; readonly id: string }) {
  const { data: host, error } = useOperationHost(id, address);
  if (host === undefined) return error === null ? <Loading label="the output" /> : <ErrorBox error={error} />;
  return (
    <>
      <ErrorBox error={error} />
      <p className={styles.row}>
        On this host: <StatusBadge status={host.state} />
      </p>
      {host.error && <p className={styles.error}>{host.error}</p>}
      {host.detail && <p className="muted">{host.detail}</p>}
      {host.already_there && <p className="muted">No changes were needed.</p>}
      {host.skip_reason && <p className="muted">{formatSkipReason(host.skip_reason)}</p>}
      {host.output.length === 0 && <p className="muted">{isEnded(host.state) ? 'No output.' : 'No output yet.'}</p>}
      {host.output.map(({ step, attempt, at, output }) => (
        <section key={`${step}-${attempt}`} aria-label={`Output of ${toText(step)}`}>
          <p className="muted">
            {toLabel(step)}, attempt {attempt}, <Timestamp at={at} format="time" />
          </p>
          <CodeBlock text={output} />
        </section>
      ))}
    </>
  );
}

/** The output of the steps can be long, so it is fetched when a user opens the entry. */
function HostOperation({ address, operation }: { readonly address: string; readonly operation: Operation }) {
  const { id, kind, started_at } = operation;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.operation} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <OperationBadge {...operation} />
        <span>{operationTitle(operation)}</span>
        <span className={styles.end}>
          Started <Timestamp at={started_at} />
        </span>
      </summary>
      {isOpen && (
        <div className={styles.details}>
          <p>
            <Link to="/operations/$id" params={{ id }} search={{ host: address }}>
              View {kind}
            </Link>
          </p>
          <HostOutput address={address} id={id} />
        </div>
      )}
    </details>
  );
}

const [INITIAL_LIMIT, EXPANDED_LIMIT] = [5, 50];

export function OperationsPanel({ address }: { readonly address: string }) {
  const [limit, setLimit] = useState(INITIAL_LIMIT);
  const query = useApiQuery(
    queryKeys.operationsOfHost(address, limit),
    () => api.listOperations({ query: { host: address, limit } }),
    { placeholderData: keepPreviousData },
  );
  return (
    <Panel title="Operations" isFlush>
      <QueryView query={query} label="operations">
        {operations => (
          <>
            {operations.length === 0 && <p className={styles.more}>No operations yet.</p>}
            {operations.map(operation => (
              <HostOperation key={operation.id} address={address} operation={operation} />
            ))}
            {operations.length === INITIAL_LIMIT && limit === INITIAL_LIMIT && (
              <div className={styles.more}>
                <Button size="small" onClick={() => setLimit(EXPANDED_LIMIT)}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
}
