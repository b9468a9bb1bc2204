import { Link } from '@tanstack/react-router';
import { CreateCluster } from '../../clusters/create-cluster.tsx';
import type { ClusterRecord } from '../../clusters/health.ts';
import { healthParts, healthWords, worstFirst } from '../../clusters/health.ts';
import { useOverview } from '../../clusters/use-overview.ts';
import { countsWords } from '../../operations/host-counts.ts';
import type { Operation } from '../../operations/operation.ts';
import { newestByCluster, operationTitle } from '../../operations/operation.ts';
import { OperationState } from '../../operations/operation-state.tsx';
import { useNewest, useRunning } from '../../operations/use-operations.ts';
import { useMay } from '../../session/session.tsx';
import { Empty, Page, Panel } from '../../ui/page.tsx';
import { ProportionBar } from '../../ui/proportion-bar.tsx';
import { Read } from '../../ui/read.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { When } from '../../ui/when.tsx';
import { counted } from '../../ui/words/counted.ts';
import styles from './clusters-page.module.css';

type Row = ClusterRecord & { readonly newest: Operation | undefined };

const NewestOperation = ({ of }: { readonly of: Operation | undefined }) =>
  of === undefined ? (
    <span className="soft">None</span>
  ) : (
    <div className={styles.operation}>
      <Link to="/operations/$id" params={{ id: of.id }}>
        {operationTitle(of)}
      </Link>
      <OperationState {...of} />
      <span className={`soft ${styles.line}`}>
        {countsWords(of.counts)} · {of.finished_at === null ? 'started' : 'ended'}{' '}
        <When at={of.finished_at ?? of.started_at} as="ago" />
      </span>
    </div>
  );

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Name',
    isName: true,
    cell: ({ name }) => (
      <Link to="/clusters/$name" params={{ name }}>
        {name}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    title: 'Hosts',
    cell: row => (
      <div className={styles.hosts}>
        <ProportionBar label="Hosts" parts={healthParts(row)} total={row.hosts.total} />
        <span className={`soft ${styles.line}`}>{healthWords(row)}</span>
      </div>
    ),
  },
  { title: 'Network', cell: ({ network }) => network },
  { title: 'Container manager', cell: ({ container_manager }) => container_manager || 'None' },
  { title: 'Latest operation', cell: ({ newest }) => <NewestOperation of={newest} /> },
];

function Clusters({ clusters }: { readonly clusters: readonly ClusterRecord[] }) {
  const { data: running = [] } = useRunning();
  const { data: newest = [] } = useNewest();
  const operations = new Map([...newestByCluster(newest), ...newestByCluster(running)]);
  const rows = worstFirst(clusters, newestByCluster(running)).map(cluster => ({
    ...cluster,
    newest: operations.get(cluster.name),
  }));
  return (
    <Panel title={`${counted(rows.length, 'cluster')}, sorted by health`} isFlush>
      <Table label="Clusters" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
    </Panel>
  );
}

export function ClustersPage() {
  const { may, whyNot } = useMay();
  const overview = useOverview();
  const create = <CreateCluster whyNot={may('putCluster') ? undefined : whyNot('putCluster')} />;
  return (
    <Page title="Clusters" actions={create}>
      <Read of={overview} what="clusters">
        {({ clusters }) =>
          clusters.length === 0 ? (
            <Empty title="No clusters yet">
              <p>A cluster groups hosts that you restart, upgrade and deploy together.</p>
              {may('putCluster') && <p>Create one here, or run:</p>}
              {may('putCluster') && <code>hostler cluster create web</code>}
            </Empty>
          ) : (
            <Clusters clusters={clusters} />
          )
        }
      </Read>
    </Page>
  );
}
