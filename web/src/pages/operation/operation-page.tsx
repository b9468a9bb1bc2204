import { getRouteApi, Link } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useEffect, useMemo, useRef } from 'react';
import { countByPhaseGroup } from '#sdk/operation-progress.ts';
import { isNotFound } from '../../api/client.ts';
import { OperationBadge } from '../../operations/operation-badge.tsx';
import { operationTitle } from '../../operations/operation-summary.ts';
import { PolicyList } from '../../policy/policy-list.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { formatNumber } from '../../ui/format/text.ts';
import { EmptyState, Loading, Page, TwoColumns } from '../../ui/page.tsx';
import { OperationActions } from './action-buttons.tsx';
import { HostDrawer } from './hosts/host-drawer.tsx';
import { HostsPanel } from './hosts/hosts-panel.tsx';
import { clearWaits } from './hosts/phase-groups.ts';
import styles from './operation-page.module.css';
import type { OperationDetails } from './queries.ts';
import { useOperation, useOperationHosts } from './queries.ts';
import { StatusBanner } from './status-banner.tsx';
import { BudgetPanel, ProgressPanel } from './summary-panels.tsx';

/**
 * Scrolls a selected panel into view: in a single-column layout it would open off screen. The initial selection does
 * not scroll.
 */
function useScrollIntoView<E extends HTMLElement>(selected: string | undefined): RefObject<E | null> {
  const element = useRef<E>(null);
  const previous = useRef(selected);
  useEffect(() => {
    if (selected === previous.current) return;
    previous.current = selected;
    element.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return element;
}

const route = getRouteApi('/operations/$id');

function OperationView({ operation }: { readonly operation: OperationDetails }) {
  const { id, clockOffsetMs, can } = operation;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { hosts: latestHosts, error, loadedCount } = useOperationHosts(id);
  const hasEnded = operation.finished_at !== null;
  const hosts = useMemo(() => latestHosts && clearWaits(latestHosts, hasEnded), [hasEnded, latestHosts]);
  const drawerRef = useScrollIntoView<HTMLElement>(search.host);
  const counts = useMemo(
    () => (hosts === undefined ? operation.counts : countByPhaseGroup(hosts.list)),
    [hosts, operation],
  );
  return (
    <Page
      title={operationTitle(operation)}
      heading={
        <span className={styles.heading}>
          {operationTitle(operation)} <OperationBadge state={operation.state} counts={counts} />
        </span>
      }
      breadcrumb={
        <>
          <Link to="/operations">Operations</Link> /{' '}
          <Link to="/clusters/$name" params={{ name: operation.cluster }}>
            {operation.cluster}
          </Link>{' '}
          / <span className="mono">{id}</span>
        </>
      }
      actions={<OperationActions id={id} can={can} hasFailed={counts.failed > 0} pausedBy={operation.paused_by} />}
    >
      <StatusBanner operation={operation} counts={counts} hosts={hosts} />
      <TwoColumns>
        <ProgressPanel operation={operation} counts={counts} hosts={hosts} />
        <BudgetPanel operation={operation} inFlight={counts.in_flight} />
      </TwoColumns>
      <div className={search.host === undefined ? styles.hosts : styles.withDrawer}>
        <div className={styles.main}>
          <ErrorBox error={error} />
          {hosts === undefined ? (
            error === null && (
              <Loading label={`hosts: ${formatNumber(loadedCount)} of ${formatNumber(operation.counts.total)}`} />
            )
          ) : (
            <HostsPanel id={id} hosts={hosts} hasEnded={hasEnded} search={search} clockOffsetMs={clockOffsetMs} />
          )}
        </div>
        {search.host !== undefined && (
          <HostDrawer
            ref={drawerRef}
            key={search.host}
            id={id}
            address={search.host}
            host={hosts?.get(search.host)}
            can={can}
            hasEnded={hasEnded}
            clockOffsetMs={clockOffsetMs}
            onClose={() =>
              navigate({
                replace: true,
                resetScroll: false,
                search: ({ host: _host, ...previous }) => previous,
              })
            }
          />
        )}
      </div>
      <details className={styles.policy}>
        <summary>Policy</summary>
        <PolicyList policy={operation.policy} />
      </details>
    </Page>
  );
}

export function OperationPage() {
  const { id } = route.useParams();
  const { data: operation, error } = useOperation(id);
  if (operation !== undefined) return <OperationView key={id} operation={operation} />;
  return (
    <Page title="Operation" breadcrumb={<Link to="/operations">Operations</Link>}>
      {isNotFound(error) ? (
        <EmptyState title="Operation not found">
          <p>
            Finished operations are deleted after a while. View <Link to="/operations">all operations</Link>.
          </p>
        </EmptyState>
      ) : (
        <>
          <ErrorBox error={error} />
          {error === null && <Loading label="the operation" />}
        </>
      )}
    </Page>
  );
}
