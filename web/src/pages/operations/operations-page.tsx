import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { getNextCursor } from '#sdk/response-headers.ts';
import { OPERATION_KINDS, RECORD_STATUSES } from '#vocabulary';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { useRunningOperations } from '../../operations/queries.ts';
import { Button } from '../../ui/button.tsx';
import { statusLabel } from '../../ui/format/text.ts';
import { SelectField } from '../../ui/forms/field.tsx';
import { EmptyState, Page, Panel, QueryView } from '../../ui/page.tsx';
import { OperationTable } from './operation-table.tsx';
import styles from './operations-page.module.css';
import { PauseAllButton, PausedBanner } from './pause-all.tsx';
import type { OperationsSearch } from './search.ts';
import { parseOperationsSearch } from './search.ts';

const FILTERS = [
  { name: 'kind', label: 'Kind', values: OPERATION_KINDS },
  { name: 'status', label: 'Status', values: RECORD_STATUSES },
] as const;

function OperationFilters({ search }: { readonly search: OperationsSearch }) {
  const navigate = useNavigate({ from: '/operations' });
  const updateSearch = (changes: Record<string, unknown>) =>
    navigate({ replace: true, search: parseOperationsSearch({ ...search, ...changes }) });
  return (
    <div className={styles.filters} role="search" aria-label="Filter operations">
      <ClusterSelect
        label="Cluster"
        emptyLabel="Any"
        selected={search.cluster}
        value={search.cluster ?? ''}
        onChange={({ target }) => updateSearch({ cluster: target.value })}
      />
      {FILTERS.map(({ name, label, values }) => (
        <SelectField
          key={name}
          label={label}
          value={search[name] ?? ''}
          onChange={({ target }) => updateSearch({ [name]: target.value })}
        >
          <option value="">Any</option>
          {values.map(value => (
            <option key={value} value={value}>
              {statusLabel(value)}
            </option>
          ))}
        </SelectField>
      ))}
    </div>
  );
}

const PAGE_SIZE = 50;

/** Newest first. Host events do not change finished operations. */
function usePastOperations(search: OperationsSearch) {
  return useInfiniteQuery({
    queryKey: queryKeys.pastOperationsPage(search),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: after, signal }) => {
      const query = { ...search, limit: PAGE_SIZE, ...(after !== undefined && { after }) };
      const { body, headers } = await api.listOperations({ query, signal });
      return { operations: body, next: getNextCursor(headers) };
    },
    getNextPageParam: ({ next }) => next,
    enabled: search.status !== 'in_process',
    select: ({ pages }) =>
      pages.flatMap(({ operations }) => operations).filter(({ status }) => status !== 'in_process'),
  });
}

const route = getRouteApi('/operations');

const isFiltered = (search: OperationsSearch) => Object.keys(search).some(name => name !== 'status');

function RunningPanel({ search }: { readonly search: OperationsSearch }) {
  const { status: _status, ...filter } = search;
  const running = useRunningOperations(filter);
  return (
    <Panel title="Running" isFlush>
      <QueryView query={running} label="operations">
        {operations =>
          operations.length === 0 ? (
            <EmptyState title={isFiltered(search) ? 'No running operations match' : 'No operations are running'}>
              <p>
                Open <Link to="/clusters">a cluster</Link> to start a restart, upgrade or deploy.
              </p>
            </EmptyState>
          ) : (
            <OperationTable label="Running operations" operations={operations} />
          )
        }
      </QueryView>
    </Panel>
  );
}

function HistoryPanel({ search }: { readonly search: OperationsSearch }) {
  const history = usePastOperations(search);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = history;
  return (
    <Panel title="History" isFlush>
      <QueryView query={history} label="operations">
        {operations =>
          operations.length === 0 ? (
            <EmptyState
              title={Object.keys(search).length > 0 ? 'No finished operations match' : 'No finished operations yet'}
            >
              <p>Finished operations are listed here with the output of every host.</p>
            </EmptyState>
          ) : (
            <OperationTable label="Finished operations" operations={operations} />
          )
        }
      </QueryView>
      {hasNextPage && (
        <p className={styles.older}>
          <Button isLoading={isFetchingNextPage} onClick={() => fetchNextPage()}>
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
    <Page title="Operations" actions={<PauseAllButton />}>
      <PausedBanner />
      <OperationFilters search={search} />
      {(status === undefined || status === 'in_process') && <RunningPanel search={search} />}
      {status !== 'in_process' && <HistoryPanel search={search} />}
    </Page>
  );
}
