import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import styles from './host.module.css';
import { HostInOperation } from './host-in-operation.tsx';

const [FEW, MANY] = [5, 50];

/** The operations that it is or was part of, newest first. */
export function OperationsPanel({ address }: { readonly address: string }) {
  const [limit, setLimit] = useState(FEW);
  const query = useQuery({
    queryKey: keys.operationsOfHost(address, limit),
    queryFn: () => answerOf(api.listOperations({ query: { host: address, limit } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title="Operations" isFlush>
      <Read of={query} what="operations">
        {operations => (
          <>
            {operations.length === 0 && <p className={styles.more}>No operations yet.</p>}
            {operations.map(operation => (
              <HostInOperation key={operation.id} address={address} operation={operation} />
            ))}
            {operations.length === FEW && limit === FEW && (
              <div className={styles.more}>
                <Button size="small" onClick={() => setLimit(MANY)}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
      </Read>
    </Panel>
  );
}
