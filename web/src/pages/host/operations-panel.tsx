import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Loading, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './host.module.css';
import { HostInOperation } from './host-in-operation.tsx';

const [FEW, MANY] = [5, 50];

/** The operations that it is or was part of, newest first. */
export function OperationsPanel({ address }: { readonly address: string }) {
  const [limit, setLimit] = useState(FEW);
  const { data, error } = useQuery({
    queryKey: keys.operationsOfHost(address, limit),
    queryFn: () => answerOf(api.listOperations({ query: { host: address, limit } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title="Operations" isFlush>
      <ProblemBox problem={error} />
      {data === undefined && !error && <Loading what="its operations" />}
      {data?.length === 0 && <p className={styles.more}>It was part of none.</p>}
      {data?.map(operation => (
        <HostInOperation key={operation.id} address={address} operation={operation} />
      ))}
      {data?.length === FEW && limit === FEW && (
        <div className={styles.more}>
          <Button size="small" onClick={() => setLimit(MANY)}>
            Show older ones
          </Button>
        </div>
      )}
    </Panel>
  );
}
