// Who did what, newest first. New entries come on top by themselves; older ones when they are asked for.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading, Page, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import tableStyles from '../../ui/tables/table.module.css';
import styles from './audit.module.css';
import { AuditFilters } from './audit-filters.tsx';
import { COLUMNS, EntryRow } from './entry-row.tsx';
import type { AuditEntry } from './listed-entries.ts';
import { useAudit } from './use-audit.ts';

const Entries = ({ entries }: { readonly entries: readonly AuditEntry[] }) => (
  <div className={tableStyles.frame} role="region" aria-label="Audit log entries" tabIndex={0}>
    <table className={tableStyles.table}>
      <caption className="heard">Audit log entries, newest first</caption>
      <thead>
        <tr>
          {COLUMNS.map(title => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.entries}>
        {entries.map(entry => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  </div>
);

export function AuditPage() {
  const search = useSearch({ from: '/audit' });
  const navigate = useNavigate();
  const { listed, problem, readOlder, isReading } = useAudit(search);
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Page title="Audit log">
      <AuditFilters search={search} onChange={next => navigate({ to: '/audit', search: next })} />
      <ProblemBox problem={problem} />
      <Panel title="Entries" isFlush>
        {listed === undefined && problem === null && <Loading what="the audit log" />}
        {listed?.entries.length === 0 && (
          <Empty title={isFiltered ? 'No matching entries' : 'No entries yet'}>
            <p>
              {isFiltered
                ? 'Filters match complete names and addresses. Remove a filter to see more.'
                : 'Every change, every access to a secret and every denied request is recorded here in a tamper-evident log.'}
            </p>
          </Empty>
        )}
        {listed !== undefined && listed.entries.length > 0 && (
          <>
            <Entries entries={listed.entries} />
            <div className={styles.older}>
              {listed.isWhole ? (
                'End of log'
              ) : (
                <Button isBusy={isReading} onClick={() => readOlder()}>
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
