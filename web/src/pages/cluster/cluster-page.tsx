import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { CLUSTER_STATUSES } from '#vocabulary';
import { isNotFound } from '../../api/client.ts';
import type { ClusterRecord } from '../../clusters/cluster-health.ts';
import { formatHealth, healthSegments } from '../../clusters/cluster-health.ts';
import { useCluster } from '../../clusters/queries.ts';
import { StatusHistoryChart, useStatusHistory } from '../../live/status-history-chart.tsx';
import { OperationList } from '../../operations/operation-list.tsx';
import { useLatestOperations } from '../../operations/queries.ts';
import { ErrorBox } from '../../ui/callout.tsx';
import { DAY_MS, TimeRangePicker } from '../../ui/charts/time-range-picker.tsx';
import { DescriptionList, EmptyState, Page, Panel, QueryView, TwoColumns } from '../../ui/page.tsx';
import { SegmentedBar } from '../../ui/segmented-bar.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import styles from './cluster.module.css';
import type { ClusterWithEtag } from './cluster-actions.tsx';
import { ClusterActions } from './cluster-actions.tsx';
import { MembersPanel } from './members-panel.tsx';
import { PolicyPanel } from './policy-panel.tsx';

const MAX_OPERATIONS = 5;

function ClusterOperations({ name }: { readonly name: string }) {
  const latest = useLatestOperations(name, MAX_OPERATIONS);
  const allLink = (
    <Link to="/operations" search={{ cluster: name }}>
      View all
    </Link>
  );
  return (
    <Panel title="Operations" isFlush actions={allLink}>
      <QueryView query={latest} label="operations">
        {operations =>
          operations.length === 0 ? (
            <EmptyState title="No operations yet">
              <p>Start a restart, upgrade or deploy. It works through the hosts a few at a time.</p>
            </EmptyState>
          ) : (
            <OperationList operations={operations} />
          )
        }
      </QueryView>
    </Panel>
  );
}

function HealthPanel({ cluster }: { readonly cluster: ClusterRecord }) {
  const { name, status, hosts } = cluster;
  const [rangeMs, setRangeMs] = useState(DAY_MS);
  const { data, error } = useStatusHistory({ kind: 'cluster', name, statuses: CLUSTER_STATUSES });
  return (
    <Panel title="Health" actions={<TimeRangePicker rangeMs={rangeMs} onSelect={setRangeMs} />}>
      <div className={styles.health}>
        <DescriptionList
          items={[
            ['Status', <StatusBadge key="status" status={status} />],
            [
              'Hosts',
              <div key="hosts" className={styles.hosts}>
                {formatHealth(cluster)}
                <SegmentedBar label="Hosts" segments={healthSegments(cluster)} total={hosts.total} />
              </div>,
            ],
          ]}
        />
        <ErrorBox error={error} />
        {data && (
          <StatusHistoryChart
            history={data.value}
            current={status}
            rangeMs={rangeMs}
            label={`Status of ${name} over time`}
          />
        )}
      </div>
    </Panel>
  );
}

const BREADCRUMB = <Link to="/clusters">Clusters</Link>;

const ClusterNotFound = ({ name }: { readonly name: string }) => (
  <Page title={name} breadcrumb={BREADCRUMB}>
    <EmptyState title={`Cluster ${name} not found`}>
      <p>
        It may have been removed. View <Link to="/clusters">all clusters</Link>.
      </p>
    </EmptyState>
  </Page>
);

const SettingsPanel = ({ cluster }: Pick<ClusterWithEtag, 'cluster'>) => (
  <Panel title="Settings">
    <DescriptionList
      items={[
        [
          'Network',
          <Link key="network" to="/networks" search={{ name: cluster.network }}>
            {cluster.network}
          </Link>,
        ],
        [
          'Container manager',
          cluster.container_manager === '' ? (
            'None'
          ) : (
            <Link key="manager" to="/container-managers" search={{ name: cluster.container_manager }}>
              {cluster.container_manager}
            </Link>
          ),
        ],
      ]}
    />
  </Panel>
);

export function ClusterPage() {
  const { name } = useParams({ from: '/clusters/$name' });
  const query = useCluster(name);
  const { data, error } = query;
  if (isNotFound(error)) return <ClusterNotFound name={name} />;
  const heading = data && (
    <span className={styles.heading}>
      {name} <StatusBadge status={data.cluster.status} />
    </span>
  );
  return (
    <Page
      key={name}
      title={name}
      breadcrumb={BREADCRUMB}
      heading={heading}
      actions={data && <ClusterActions loaded={data} />}
    >
      <QueryView query={query} label={`cluster ${name}`}>
        {({ cluster }) => (
          <>
            <TwoColumns>
              <HealthPanel cluster={cluster} />
              <ClusterOperations name={name} />
            </TwoColumns>
            <MembersPanel name={name} />
            <TwoColumns>
              <PolicyPanel name={name} />
              <SettingsPanel cluster={cluster} />
            </TwoColumns>
          </>
        )}
      </QueryView>
    </Page>
  );
}
