import { usePermissions } from '../../auth/session.tsx';
import type { ClusterRecord } from '../../clusters/cluster-health.ts';
import { formatHealth, healthSegments, sortByHealth } from '../../clusters/cluster-health.ts';
import { CreateClusterButton } from '../../clusters/create-cluster-dialog.tsx';
import { useOverview } from '../../clusters/queries.ts';
import { OperationBadge, OperationLink } from '../../operations/operation-badge.tsx';
import type { Operation } from '../../operations/operation-summary.ts';
import { formatResult, latestByCluster } from '../../operations/operation-summary.ts';
import { useLatestOperations, useRunningOperations } from '../../operations/queries.ts';
import { formatCount } from '../../ui/format/text.ts';
import { ClusterLink } from '../../ui/links.tsx';
import { EmptyState, Page, Panel, QueryView } from '../../ui/page.tsx';
import { SegmentedBar } from '../../ui/segmented-bar.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import styles from './clusters-page.module.css';

type ClusterRow = ClusterRecord & { readonly latest: Operation | undefined };

const LatestOperation = ({ operation }: { readonly operation: Operation | undefined }) =>
  operation === undefined ? (
    <span className="muted">None</span>
  ) : (
    <div className={styles.operation}>
      <OperationLink operation={operation} />
      <OperationBadge {...operation} />
      <span className={`muted ${styles.line}`}>
        {formatResult(operation.counts)} · {operation.finished_at === null ? 'started' : 'ended'}{' '}
        <Timestamp at={operation.finished_at ?? operation.started_at} format="relative" />
      </span>
    </div>
  );

const COLUMNS: readonly Column<ClusterRow>[] = [
  { title: 'Name', isName: true, cell: ({ name }) => <ClusterLink name={name} /> },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Hosts',
    cell: row => (
      <div className={styles.hosts}>
        <SegmentedBar label="Hosts" segments={healthSegments(row)} total={row.hosts.total} />
        <span className={`muted ${styles.line}`}>{formatHealth(row)}</span>
      </div>
    ),
  },
  { title: 'Network', cell: ({ network }) => network },
  { title: 'Container manager', cell: ({ container_manager }) => container_manager || 'None' },
  { title: 'Latest operation', cell: ({ latest }) => <LatestOperation operation={latest} /> },
];

function Clusters({ clusters }: { readonly clusters: readonly ClusterRecord[] }) {
  const { data: running = [] } = useRunningOperations();
  const { data: latest = [] } = useLatestOperations();
  const operations = new Map([...latestByCluster(latest), ...latestByCluster(running)]);
  const rows = sortByHealth(clusters, latestByCluster(running)).map(cluster => ({
    ...cluster,
    latest: operations.get(cluster.name),
  }));
  return (
    <Panel title={`${formatCount(rows.length, 'cluster')}, sorted by health`} isFlush>
      <Table label="Clusters" columns={COLUMNS} rows={rows} rowKey={({ name }) => name} />
    </Panel>
  );
}

export function ClustersPage() {
  const { can } = usePermissions();
  const overview = useOverview();
  return (
    <Page title="Clusters" actions={<CreateClusterButton />}>
      <QueryView query={overview} label="clusters">
        {({ clusters }) =>
          clusters.length === 0 ? (
            <EmptyState title="No clusters yet">
              <p>A cluster groups hosts that you restart, upgrade and deploy together.</p>
              {can('putCluster') && <p>Create one here, or run:</p>}
              {can('putCluster') && <code>hostler cluster create web</code>}
            </EmptyState>
          ) : (
            <Clusters clusters={clusters} />
          )
        }
      </QueryView>
    </Page>
  );
}
