import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Static } from 'typebox';
import type { OperationSummary } from '#contract/operations.ts';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { live } from '../../live/live.ts';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Status, wordsOf } from '../../ui/status.tsx';
import { When } from '../../ui/when.tsx';
import styles from './host.module.css';

interface HostInOperationProps {
  readonly address: string;
  readonly operation: Static<typeof OperationSummary>;
}

function useHostInOperation(address: string, id: string) {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      live.listen({
        onOutput: ({ operation, hosts }) => {
          if (operation !== id || !hosts.includes(address)) return;
          queryClient.invalidateQueries({ queryKey: keys.operationHost(id, address) });
        },
      }),
    [address, id, queryClient],
  );
  return useQuery({
    queryKey: keys.operationHost(id, address),
    queryFn: () => answerOf(api.getOperationHost({ id, address })),
  });
}

/** What an operation has come to on this host, and what its steps said. */
export function HostInOperation({ address, operation }: HostInOperationProps) {
  const { id, kind, cluster, version, started_at, state } = operation;
  const { data: host, error } = useHostInOperation(address, id);
  return (
    <details className={styles.operation}>
      <summary>
        {host && <Status of={host.state} />}
        <span>
          {kind} of {cluster}
          {version === undefined ? '' : ` to ${version}`}
        </span>
        <span className={styles.end}>
          operation {wordsOf(state)}, begun <When at={started_at} />
        </span>
      </summary>
      <div className={styles.inside}>
        <p>
          <Link to="/operations/$id" params={{ id }} search={{ host: address }}>
            Look at the {kind}
          </Link>
        </p>
        <ProblemBox problem={error} />
        {host?.error && <p className={styles.problem}>{host.error}</p>}
        {host?.detail && <p className={styles.soft}>{host.detail}</p>}
        {host?.already_there && <p className={styles.soft}>There was nothing to do.</p>}
        {host?.skip_reason && <p className={styles.soft}>Skipped: {wordsOf(host.skip_reason)}.</p>}
        {host?.output.length === 0 && <p className={styles.soft}>Its steps have said nothing.</p>}
        {host?.output.map(({ step, attempt, at, output }) => (
          <section key={`${step}-${attempt}`} aria-label={`What ${wordsOf(step)} said`}>
            <p className={styles.soft}>
              {wordsOf(step)}, attempt {attempt}, <When at={at} as="clock" />
            </p>
            <pre className={styles.output} tabIndex={0}>
              {output}
            </pre>
          </section>
        ))}
      </div>
    </details>
  );
}
