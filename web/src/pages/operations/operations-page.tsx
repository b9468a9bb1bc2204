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
            <Empty title={isFiltered(search) ? 'None of these runs now.' : 'No operation runs now.'}>
              <p>
                Restart, upgrade or deploy: choose <Link to="/clusters">a cluster</Link> and start it there.
              </p>
            </Empty>
          ) : (
            <OperationTable label="Operations that run" operations={operations} />
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
    <Panel title="Over" isFlush>
      <Read of={ended} what="operations">
        {operations =>
          operations.length === 0 ? (
            <Empty title={Object.keys(search).length > 0 ? 'There was none of these.' : 'None is over yet.'}>
              <p>An operation that has ended stays here, with what was done on each host.</p>
            </Empty>
          ) : (
            <OperationTable label="Operations that are over" operations={operations} />
          )
        }
      </Read>
      {hasNextPage && (
        <p className={styles.older}>
          <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Older
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
