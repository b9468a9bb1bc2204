// The operations room at a glance: how many hosts are well, which clusters are not, what is under way, what needs somebody.

import { Link } from '@tanstack/react-router';
import { useOverview } from '../../clusters/use-overview.ts';
import { Columns, Loading, Page } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { ClusterTiles } from './cluster-tiles.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LatestEvents } from './latest-events.tsx';
import { NeedsSomebody } from './needs-somebody.tsx';
import styles from './overview.module.css';
import { RunningOperations } from './running-operations.tsx';
import { Totals } from './totals.tsx';
import { WatchWarning } from './watch-warning.tsx';

export function OverviewPage() {
  const { data, error } = useOverview();
  const isEmpty = data !== undefined && data.hosts.total === 0 && data.clusters.length === 0;
  return (
    <Page title="Overview">
      <ProblemBox problem={error} />
      {data === undefined && !error && <Loading what="the overview" />}
      <WatchWarning />
      {isEmpty && <FirstSteps />}
      {data && !isEmpty && (
        <>
          <Totals {...data} />
          <section className={styles.section} aria-label="Clusters">
            <h2 className="heard">Clusters</h2>
            <ClusterTiles clusters={data.clusters} />
            {data.clusters.length === 0 && (
              <p className={styles.quiet}>
                No clusters yet. <Link to="/clusters">Create a cluster</Link> and add hosts to it.
              </p>
            )}
          </section>
          <Columns>
            <div className={styles.column}>
              <RunningOperations />
              <NeedsSomebody
                failed={data.hosts.by_status.failed}
                unreachable={data.hosts.by_status.unreachable}
              />
            </div>
            <LatestEvents />
          </Columns>
        </>
      )}
    </Page>
  );
}
