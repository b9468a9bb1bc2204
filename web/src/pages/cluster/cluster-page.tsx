import { Link, useParams } from '@tanstack/react-router';
import { isGone } from '../../api/refusals.ts';
import { useCluster } from '../../clusters/use-cluster.ts';
import { Columns, Empty, Facts, Page, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import { Status } from '../../ui/status.tsx';
import styles from './cluster.module.css';
import { ClusterActions } from './cluster-actions.tsx';
import { ClusterOperations } from './cluster-operations.tsx';
import { HealthPanel } from './health-panel.tsx';
import { MembersPanel } from './members-panel.tsx';
import { PolicyPanel } from './policy-panel.tsx';
import type { EditedCluster } from './settings-dialog.tsx';

const TRAIL = <Link to="/clusters">Clusters</Link>;

const NoCluster = ({ name }: { readonly name: string }) => (
  <Page title={name} trail={TRAIL}>
    <Empty title={`Cluster ${name} not found`}>
      <p>
        It may have been removed. View <Link to="/clusters">all clusters</Link>.
      </p>
    </Empty>
  </Page>
);

const Heading = ({ read }: { readonly read: EditedCluster }) => (
  <span className={styles.heading}>
    {read.cluster.name} <Status of={read.cluster.status} />
  </span>
);

const SettingsPanel = ({ cluster }: Pick<EditedCluster, 'cluster'>) => (
  <Panel title="Settings">
    <Facts
      of={[
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
  if (isGone(error)) return <NoCluster name={name} />;
  return (
    <Page
      key={name}
      title={name}
      trail={TRAIL}
      {...(data && { heading: <Heading read={data} />, actions: <ClusterActions read={data} /> })}
    >
      <Read of={query} what={`cluster ${name}`}>
        {({ cluster }) => (
          <>
            <Columns>
              <HealthPanel cluster={cluster} />
              <ClusterOperations name={name} />
            </Columns>
            <MembersPanel name={name} />
            <Columns>
              <PolicyPanel name={name} />
              <SettingsPanel cluster={cluster} />
            </Columns>
          </>
        )}
      </Read>
    </Page>
  );
}
