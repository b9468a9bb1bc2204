import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useId, useState } from 'react';
import type { Hostnames } from '#sdk/hostnames.ts';
import { api, fetchBody } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { EventMessage } from '../../events/event-line.tsx';
import { useHostnames } from '../../hosts/use-hostnames.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { toLabel } from '../../ui/format/text.ts';
import { useAction } from '../../ui/forms/form.tsx';
import { DescriptionList, EmptyState, Loading, Page, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import tableStyles from '../../ui/tables/table.module.css';
import { Timestamp } from '../../ui/timestamp.tsx';
import styles from './audit.module.css';
import { AuditFilters, OriginPicker } from './audit-filters.tsx';
import type { AuditEntry, AuditList } from './audit-list.ts';
import { appendOlder, mergeNewest } from './audit-list.ts';
import type { AuditSearch } from './search.ts';
import { hasFilters, toAuditQuery } from './search.ts';

const ENTRY_COLUMNS = ['Time', 'Event', 'Result', 'Actor'] as const;

const EntryDetails = ({ entry }: { readonly entry: AuditEntry }) => (
  <div className={styles.details}>
    <DescriptionList
      items={[
        ['Entry', entry.id],
        ['Type', <code key="type">{entry.type}</code>],
        ...(entry.subject === '' ? [] : [['Subject', entry.subject] as const]),
        ...(entry.request_id === '' ? [] : [['Request ID', <code key="request">{entry.request_id}</code>] as const]),
        ['Hash', <code key="hash">{entry.hash}</code>],
      ]}
    />
    <CodeBlock text={JSON.stringify(entry.data, undefined, 2)} />
  </div>
);

const EntryActor = ({ entry: { actor, address } }: { readonly entry: AuditEntry }) => (
  <span className={styles.actor}>
    {actor === '' ? <span className="muted">System</span> : actor}
    {address !== '' && <span className="muted"> {address}</span>}
  </span>
);

interface EntryProps {
  readonly entry: AuditEntry;
  readonly hostnames: Hostnames;
}

function Entry({ entry, hostnames }: EntryProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>{' '}
            <span className={styles.time}>
              <Timestamp at={entry.at} />
            </span>
            <span className={styles.shortTime}>
              <Timestamp at={entry.at} format="short" />
            </span>
            <span className="sr-only">: details of entry {entry.id}</span>
          </button>
        </td>
        <td className={styles.message}>
          <EventMessage event={entry} hostnames={hostnames} />
        </td>
        <td>
          {entry.result === 'ok' ? (
            <span className="muted">OK</span>
          ) : (
            <Badge severity="warn">{toLabel(entry.result)}</Badge>
          )}
        </td>
        <td>
          <EntryActor entry={entry} />
        </td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={ENTRY_COLUMNS.length}>
            <EntryDetails entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Entries never change, so a row renders again only for other hostnames. The hash covers all fields. */
const EntryRow = memo(
  Entry,
  (previous, current) => previous.entry.hash === current.entry.hash && previous.hostnames === current.hostnames,
);

const LIMIT = 100;

/** Events trigger a refetch of the newest entries. Older entries stay below. */
function useAudit(search: AuditSearch) {
  const queryClient = useQueryClient();
  const queryKey = queryKeys.audit(search);
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await fetchBody(api.listAudit({ query: { ...toAuditQuery(search), limit: LIMIT }, signal }));
      return mergeNewest(queryClient.getQueryData<AuditList>(queryKey), newest, LIMIT);
    },
  });
  const fetchOlder = useAction(async () => {
    const after = data?.entries.at(-1)?.id;
    if (after === undefined) return;
    const entries = await fetchBody(api.listAudit({ query: { ...toAuditQuery(search), after, limit: LIMIT } }));
    queryClient.setQueryData<AuditList>(queryKey, current => current && appendOlder(current, entries, LIMIT));
  });
  return {
    list: data,
    error: error ?? fetchOlder.error ?? null,
    fetchOlder: fetchOlder.run,
    isFetching: fetchOlder.isLoading,
  };
}

interface EntryTableProps {
  readonly entries: readonly AuditEntry[];
  readonly hostnames: Hostnames;
}

const EntryTable = ({ entries, hostnames }: EntryTableProps) => (
  <div className={tableStyles.frame} role="region" aria-label="Audit log entries" tabIndex={0}>
    <table className={tableStyles.table}>
      <caption className="sr-only">Audit log entries, newest first</caption>
      <thead>
        <tr>
          {ENTRY_COLUMNS.map(title => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.entries}>
        {entries.map(entry => (
          <EntryRow key={entry.id} entry={entry} hostnames={hostnames} />
        ))}
      </tbody>
    </table>
  </div>
);

export function AuditPage() {
  const search = useSearch({ from: '/audit' });
  const navigate = useNavigate();
  const { list, error, fetchOlder, isFetching } = useAudit(search);
  const hostnames = useHostnames();
  const changeSearch = (next: AuditSearch) => navigate({ to: '/audit', search: next });
  const query = toAuditQuery(search);
  const isOneOrigin = 'origin' in query;
  return (
    <Page title="Audit log">
      <OriginPicker search={search} onChange={changeSearch} />
      <AuditFilters search={search} onChange={changeSearch} />
      <ErrorBox error={error} />
      <Panel title="Entries" isFlush>
        {list === undefined && error === null && <Loading label="the audit log" />}
        {list?.entries.length === 0 && (
          <EmptyState title={hasFilters(search) || isOneOrigin ? 'No matching entries' : 'No entries yet'}>
            <p>
              {hasFilters(search)
                ? 'Filters match complete names and addresses. Remove a filter to see more.'
                : 'Every change, every access to a secret and every denied request is recorded here in a tamper-evident log.'}
            </p>
            {isOneOrigin && (
              <Button onClick={() => changeSearch({ ...search, origin: 'all' })}>Show entries of any origin</Button>
            )}
          </EmptyState>
        )}
        {list !== undefined && list.entries.length > 0 && (
          <>
            <EntryTable entries={list.entries} hostnames={hostnames} />
            <div className={styles.older}>
              {list.isComplete ? (
                'End of log'
              ) : (
                <Button isLoading={isFetching} onClick={() => fetchOlder()}>
                  Load older entries
                </Button>
              )}
            </div>
          </>
        )}
      </Panel>
    </Page>
  );
}
