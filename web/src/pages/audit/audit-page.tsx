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
  <div className={tableStyles.frame} role="region" aria-label="Entries" tabIndex={0}>
    <table className={tableStyles.table}>
      <caption className="heard">What happened, newest first</caption>
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
    <Page title="Audit">
      <AuditFilters search={search} onChange={next => navigate({ to: '/audit', search: next })} />
      <ProblemBox problem={problem} />
      <Panel title="Who did what" isFlush>
        {listed === undefined && problem === null && <Loading what="the audit log" />}
        {listed?.entries.length === 0 && (
          <Empty title={isFiltered ? 'Nothing of this kind has happened.' : 'Nothing has happened yet.'}>
            <p>
              {isFiltered
                ? 'Names and addresses are compared as a whole. Take a filter away to see more.'
                : 'Every change, every read of a secret and every refusal is written here, in an order that can be proved.'}
            </p>
          </Empty>
        )}
        {listed !== undefined && listed.entries.length > 0 && (
          <>
            <Entries entries={listed.entries} />
            <div className={styles.older}>
              {listed.isWhole ? (
                'That is all.'
              ) : (
                <Button isBusy={isReading} onClick={() => readOlder()}>
                  Show older
                </Button>
              )}
            </div>
          </>
        )}
      </Panel>
    </Page>
  );
}
