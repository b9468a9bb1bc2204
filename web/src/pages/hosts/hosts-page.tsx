import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { usePermissions } from '../../auth/session.tsx';
import { useOverview } from '../../clusters/queries.ts';
import { EnrolHostsDialog } from '../../enrolment/enrol-hosts-dialog.tsx';
import { SelectableHosts } from '../../hosts/selectable-hosts.tsx';
import type { SortOrder } from '../../hosts/sort-hosts.ts';
import { createSorter, DEFAULT_SORT_ORDER } from '../../hosts/sort-hosts.ts';
import { useHosts } from '../../hosts/use-hosts.ts';
import { ErrorBox } from '../../ui/callout.tsx';
import { formatNumber } from '../../ui/format/text.ts';
import { DialogButton } from '../../ui/forms/form-dialog.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { filterHosts } from './filter-hosts.ts';
import { HostFilters, StatusFilter, useSearchText } from './host-filters.tsx';
import styles from './hosts-page.module.css';

function HostsLoading({ loadedCount }: { readonly loadedCount: number }) {
  const total = useOverview().data?.hosts.total;
  return (
    <div className={styles.loading} role="status">
      <p>
        {total === undefined
          ? `Loading hosts… ${loadedCount > 0 ? formatNumber(loadedCount) : ''}`
          : `Loading hosts… ${formatNumber(loadedCount)} of ${formatNumber(total)}`}
      </p>
      <progress
        className={styles.progress}
        aria-label="Hosts loaded"
        max={total ?? 1}
        {...(total !== undefined && { value: loadedCount })}
      />
    </div>
  );
}

function NoHosts() {
  const { can } = usePermissions();
  return (
    <div className={styles.panel}>
      <EmptyState title="No hosts yet">
        {can('putHost') ? (
          <p>
            Click <strong>Enrol hosts</strong> and enter an address and a private key for root or for a user with
            passwordless sudo. Or run:
          </p>
        ) : (
          <p>Ask an operator or an admin to enrol hosts here, or with:</p>
        )}
        <pre className={styles.commands}>hostler host add 192.0.2.7 --key ~/.ssh/fleet</pre>
        <p>
          Hosts can also enrol themselves at first boot with{' '}
          {can('listTokens') ? (
            <>
              an <Link to="/tokens">enrolment token</Link>.
            </>
          ) : (
            'an enrolment token that an admin creates.'
          )}
        </p>
      </EmptyState>
    </div>
  );
}

const route = getRouteApi('/hosts');

export function HostsPage() {
  const search = route.useSearch();
  const { deniedReason } = usePermissions();
  const navigate = useNavigate({ from: '/hosts' });
  const [text, setText] = useSearchText(search.q ?? '');
  const { table, loadedCount, error } = useHosts();

  const view = useMemo(() => ({ table, search: { ...search, q: text } }), [table, search, text]);
  // Typing stays responsive; the rows update when the browser is idle.
  const deferred = useDeferredValue(view);
  const [sortHosts] = useState(createSorter);
  const sorted = useMemo(
    () => deferred.table && sortHosts(deferred.table, deferred.search.sort ?? DEFAULT_SORT_ORDER),
    [sortHosts, deferred.table, deferred.search.sort],
  );
  const filtered = useMemo(() => sorted && filterHosts(sorted, deferred.search), [sorted, deferred.search]);

  const setSort = useCallback(
    (sort: SortOrder) => navigate({ search: previous => ({ ...previous, sort }), replace: true, resetScroll: false }),
    [navigate],
  );

  const hasHosts = table !== undefined && table.rows.length > 0;
  const enrolButton = (
    <DialogButton
      variant="primary"
      disabledReason={deniedReason('putHost')}
      dialog={close => <EnrolHostsDialog onClose={close} />}
    >
      Enrol hosts
    </DialogButton>
  );
  return (
    <Page title="Hosts" actions={enrolButton}>
      <ErrorBox error={error} />
      {table === undefined && error === undefined && <HostsLoading loadedCount={loadedCount} />}
      {table !== undefined && !hasHosts && <NoHosts />}
      {hasHosts && deferred.table !== undefined && filtered !== undefined && (
        <>
          <StatusFilter filtered={filtered} search={search} />
          <HostFilters table={deferred.table} search={search} text={text} onText={setText} />
          <div className={styles.panel}>
            <SelectableHosts
              label="Hosts"
              table={deferred.table}
              rows={filtered.rows}
              sort={search.sort ?? DEFAULT_SORT_ORDER}
              onSort={setSort}
            >
              <EmptyState title="No hosts match">
                <p>Change the search or clear the filters.</p>
              </EmptyState>
            </SelectableHosts>
          </div>
        </>
      )}
    </Page>
  );
}
