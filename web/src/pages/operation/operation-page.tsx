// One operation while it happens: where it stands, what it may still use, and every host of it. The whole is read anew when an event says so;
// its hosts follow each event by themselves.

import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { countsOf } from '#client/operation-progress.ts';
import { isGone } from '../../api/refusals.ts';
import { operationTitle } from '../../operations/operation.ts';
import { OperationState } from '../../operations/operation-state.tsx';
import { PolicyList } from '../../policy/policy-list.tsx';
import { Columns, Empty, Loading, Page } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { numberText } from '../../ui/words/counted.ts';
import { BudgetPanel } from './budget-panel.tsx';
import { HostAside } from './hosts/host-aside.tsx';
import { HostsPanel } from './hosts/hosts-panel.tsx';
import { useInViewWhenChosen } from './hosts/use-in-view-when-chosen.ts';
import styles from './operation-page.module.css';
import { ProgressPanel } from './progress-panel.tsx';
import { Standing } from './standing.tsx';
import { Steering } from './steer-button.tsx';
import type { OperationWhole } from './use-operation.ts';
import { useOperationHosts, useWhole } from './use-operation.ts';

const route = getRouteApi('/operations/$id');

function Known({ whole }: { readonly whole: OperationWhole }) {
  const { id, aheadMs, can } = whole;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { hosts, error, readCount } = useOperationHosts(id);
  const aside = useInViewWhenChosen<HTMLElement>(search.host);
  const counts = useMemo(() => (hosts === undefined ? whole.counts : countsOf(hosts.list)), [hosts, whole]);
  return (
    <Page
      title={operationTitle(whole)}
      heading={
        <span className={styles.heading}>
          {operationTitle(whole)} <OperationState state={whole.state} counts={counts} />
        </span>
      }
      trail={
        <>
          <Link to="/operations">Operations</Link> /{' '}
          <Link to="/clusters/$name" params={{ name: whole.cluster }}>
            {whole.cluster}
          </Link>{' '}
          / <span className="mono">{id}</span>
        </>
      }
      actions={<Steering id={id} can={can} hasFailed={counts.failed > 0} pausedBy={whole.paused_by} />}
    >
      <Standing whole={whole} counts={counts} hosts={hosts} />
      <Columns>
        <ProgressPanel whole={whole} counts={counts} hosts={hosts} />
        <BudgetPanel whole={whole} inFlight={counts.in_flight} />
      </Columns>
      <div className={search.host === undefined ? styles.hosts : styles.withHost}>
        <div className={styles.all}>
          <ProblemBox problem={error} />
          {hosts === undefined ? (
            error === null && (
              <Loading what={`hosts: ${numberText(readCount)} of ${numberText(whole.counts.total)}`} />
            )
          ) : (
            <HostsPanel id={id} hosts={hosts} search={search} aheadMs={aheadMs} />
          )}
        </div>
        {search.host !== undefined && (
          <HostAside
            ref={aside}
            key={search.host}
            id={id}
            address={search.host}
            host={hosts?.get(search.host)}
            can={can}
            aheadMs={aheadMs}
            onClose={() =>
              navigate({
                replace: true,
                resetScroll: false,
                search: ({ host: _host, ...before }) => before,
              })
            }
          />
        )}
      </div>
      <details className={styles.policy}>
        <summary>Policy</summary>
        <PolicyList policy={whole.policy} />
      </details>
    </Page>
  );
}

export function OperationPage() {
  const { id } = route.useParams();
  const { data: whole, error } = useWhole(id);
  if (whole !== undefined) return <Known key={id} whole={whole} />;
  return (
    <Page title="Operation" trail={<Link to="/operations">Operations</Link>}>
      {isGone(error) ? (
        <Empty title="Operation not found">
          <p>
            Finished operations are deleted after a while. View <Link to="/operations">all operations</Link>.
          </p>
        </Empty>
      ) : (
        <>
          <ProblemBox problem={error} />
          {error === null && <Loading what="the operation" />}
        </>
      )}
    </Page>
  );
}
