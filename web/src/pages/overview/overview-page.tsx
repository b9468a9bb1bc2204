import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { useOverview } from '../../clusters/queries.ts';
import { EventLine } from '../../events/event-line.tsx';
import { useLatestEvents } from '../../events/use-event-list.ts';
import { useHostnames } from '../../hosts/use-hostnames.ts';
import { OperationList } from '../../operations/operation-list.tsx';
import { useRunningOperations } from '../../operations/queries.ts';
import { ErrorBox } from '../../ui/callout.tsx';
import { Loading, Page, Panel, TwoColumns } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { AttentionPanel } from './attention-panel.tsx';
import { ClusterTiles } from './cluster-tiles.tsx';
import { GettingStarted } from './getting-started.tsx';
import styles from './overview.module.css';
import { Totals } from './totals.tsx';

const MAX_EVENTS = 20;

function LatestEvents() {
  const { events, error } = useLatestEvents(MAX_EVENTS);
  const hostnames = useHostnames();
  return (
    <Panel title="Recent events" actions={<Link to="/events">View all events</Link>}>
      <ErrorBox error={error} />
      <ul className={styles.events}>
        {events.map(event => (
          <EventLine key={event.id} event={event} hostnames={hostnames} />
        ))}
      </ul>
    </Panel>
  );
}

const MAX_OPERATIONS = 10;

function RunningOperations() {
  const { data = [], error } = useRunningOperations();
  const hiddenCount = data.length - MAX_OPERATIONS;
  return (
    <Panel title="Running operations" isFlush actions={<Link to="/operations">View all operations</Link>}>
      <ErrorBox error={error} />
      {data.length === 0 ? (
        <p className={styles.emptyText}>No operations are running. Start one from a cluster.</p>
      ) : (
        <OperationList operations={data.slice(0, MAX_OPERATIONS)} />
      )}
      {hiddenCount > 0 && (
        <p className={styles.emptyText}>
          <Link to="/operations" search={{ status: 'in_process' }}>
            View {hiddenCount} more
          </Link>
        </p>
      )}
    </Panel>
  );
}

/** Warns if health checks are delayed or the server is partitioned, because the page can then be outdated. */
function HealthCheckWarning() {
  // No event reports this state, so it is refetched whenever the page is viewed.
  const refetchOnView = { staleTime: 0, refetchOnWindowFocus: true };
  const { data } = useApiQuery(queryKeys.healthChecks, () => api.getHealthChecks(), refetchOnView);
  if (data === undefined || (data.state !== 'lagging' && data.state !== 'partitioned')) return null;
  return (
    <div className={styles.warning} role="alert">
      <StatusBadge status={data.state} />
      <p>{data.detail}</p>
    </div>
  );
}

export function OverviewPage() {
  const { data, error } = useOverview();
  const isEmpty = data !== undefined && data.hosts.total === 0 && data.clusters.length === 0;
  return (
    <Page title="Overview">
      <ErrorBox error={error} />
      {data === undefined && !error && <Loading label="the overview" />}
      <HealthCheckWarning />
      {isEmpty && <GettingStarted />}
      {data && !isEmpty && (
        <>
          <Totals {...data} />
          <section className={styles.section} aria-label="Clusters">
            <h2 className="sr-only">Clusters</h2>
            <ClusterTiles clusters={data.clusters} />
            {data.clusters.length === 0 && (
              <p className={styles.emptyText}>
                No clusters yet. <Link to="/clusters">Create a cluster</Link> and add hosts to it.
              </p>
            )}
          </section>
          <TwoColumns>
            <div className={styles.column}>
              <RunningOperations />
              <AttentionPanel failed={data.hosts.by_status.failed} unreachable={data.hosts.by_status.unreachable} />
            </div>
            <LatestEvents />
          </TwoColumns>
        </>
      )}
    </Page>
  );
}
