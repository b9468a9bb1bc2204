import { getRouteApi, Link } from '@tanstack/react-router';
import { displayName } from '#sdk/host-progress.ts';
import { isNotFound } from '../../api/client.ts';
import { ErrorBox } from '../../ui/callout.tsx';
import { EmptyState, Loading, Page, TwoColumns } from '../../ui/page.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';

import { ClusterPanel } from './cluster-panel.tsx';
import {
  AccessPanel,
  ChecksPanel,
  ContainerManagerPanel,
  FactsPanel,
  SourcePanel,
  TasksPanel,
} from './details-panels.tsx';
import styles from './host.module.css';
import { HostActions } from './host-actions.tsx';
import { LabelsPanel } from './labels-panel.tsx';
import { OperationsPanel } from './operations-panel.tsx';
import { useHost, useHostStatus } from './queries.ts';
import { HistoryPanel, StatusPanel } from './status-panel.tsx';

const route = getRouteApi('/hosts/$address');

const breadcrumb = <Link to="/hosts">Hosts</Link>;

function HostNotFound({ address }: { readonly address: string }) {
  return (
    <Page title={address} breadcrumb={breadcrumb}>
      <EmptyState title={`Host ${address} not found`}>
        <p>
          It was removed or never enrolled. View <Link to="/hosts">all hosts</Link> or{' '}
          <Link to="/audit" search={{ host: address }}>
            its audit log entries
          </Link>
          .
        </p>
      </EmptyState>
    </Page>
  );
}

export function HostPage() {
  const { address } = route.useParams();
  const host = useHost(address);
  const status = useHostStatus(address);
  const error = host.error ?? status.error;
  if (isNotFound(error)) return <HostNotFound address={address} />;
  if (host.data === undefined || status.data === undefined)
    return (
      <Page title={address} breadcrumb={breadcrumb}>
        {error ? <ErrorBox error={error} /> : <Loading label="the host" />}
      </Page>
    );

  const { host: hostStatus } = status.data;
  const name = displayName({ address, hostname: hostStatus.hostname ?? '' });
  const heading = (
    <span className={styles.heading}>
      {name}
      {name !== address && <span className={styles.address}>{address}</span>}
      <StatusBadge status={hostStatus.status} />
      {hostStatus.maintenance.on && <Badge severity="warn">In maintenance</Badge>}
    </span>
  );
  return (
    <Page
      title={name}
      heading={heading}
      breadcrumb={breadcrumb}
      actions={<HostActions key={address} address={address} status={hostStatus} />}
    >
      <ErrorBox error={error} />
      <StatusPanel address={address} hostStatus={hostStatus} />
      <HistoryPanel address={address} status={hostStatus.status} />
      <TwoColumns>
        <div className={styles.stack}>
          <FactsPanel host={host.data} status={hostStatus} />
          <AccessPanel address={address} status={hostStatus} />
          {hostStatus.source && <SourcePanel source={hostStatus.source} />}
        </div>
        <div className={styles.stack}>
          <TasksPanel tasks={hostStatus.tasks} />
          <ChecksPanel address={address} />
          <ClusterPanel address={address} status={hostStatus} />
          {status.data.type !== 'host_only' && <ContainerManagerPanel report={status.data} />}
          <LabelsPanel address={address} labels={hostStatus.labels} />
        </div>
      </TwoColumns>
      <OperationsPanel address={address} />
    </Page>
  );
}
