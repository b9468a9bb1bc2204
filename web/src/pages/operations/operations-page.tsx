// All operations: those that run on top, those that are over below, as far back as somebody asks.

import { getRouteApi, Link } from '@tanstack/react-router';
import { useRunning } from '../../operations/use-operations.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Page, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import { Filters } from './filters.tsx';
import { HeldBanner, HoldButton } from './hold.tsx';
import { OperationTable } from './operation-table.tsx';
import styles from './operations-page.module.css';
import type { OperationsSearch } from './search.ts';
import { useEnded } from './use-ended.ts';

const route = getRouteApi('/operations');

const isFiltered = (search: OperationsSearch) => Object.keys(search).some(name => name !== 'status');

function Running({ search }: { readonly search: OperationsSearch }) {
  const { status: _status, ...filter } = search;
  const running = useRunning(filter);
  return (
    <Panel title="Running" isFlush>
      <Read of={running} what="operations">
        {operations =>
          operations.length === 0 ? (
            <Empty title={isFiltered(search) ? 'No running operations match' : 'No operations are running'}>
              <p>
                Open <Link to="/clusters">a cluster</Link> to start a restart, upgrade or deploy.
              </p>
            </Empty>
          ) : (
            <OperationTable label="Running operations" operations={operations} />
          )
        }
      </Read>
    </Panel>
  );
}

function Ended({ search }: { readonly search: OperationsSearch }) {
  const ended = useEnded(search);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = ended;
  return (
    <Panel title="History" isFlush>
      <Read of={ended} what="operations">
        {operations =>
          operations.length === 0 ? (
            <Empty
              title={
                Object.keys(search).length > 0 ? 'No finished operations match' : 'No finished operations yet'
              }
            >
              <p>Finished operations are listed here with the output of every host.</p>
            </Empty>
          ) : (
            <OperationTable label="Finished operations" operations={operations} />
          )
        }
      </Read>
      {hasNextPage && (
        <p className={styles.older}>
          <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Load more
          </Button>
        </p>
      )}
    </Panel>
  );
}

export function OperationsPage() {
  const search = route.useSearch();
  const { status } = search;
  return (
    <Page title="Operations" actions={<HoldButton />}>
      <HeldBanner />
      <Filters search={search} />
      {(status === undefined || status === 'in_process') && <Running search={search} />}
      {status !== 'in_process' && <Ended search={search} />}
    </Page>
  );
}
