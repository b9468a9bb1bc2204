// One host: how it is and why, what to do about it, what it is made of, what was done to it, and how it is reached.

import { getRouteApi, Link } from '@tanstack/react-router';
import { isGone } from '../../api/refusals.ts';
import { Columns, Empty, Loading, Page } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Badge, Status } from '../../ui/status.tsx';
import { AccessPanel } from './access-panel.tsx';
import { ChecksPanel } from './checks-panel.tsx';
import { ClusterPanel } from './cluster-panel.tsx';
import { FactsPanel } from './facts-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import styles from './host.module.css';
import { HostActions } from './host-actions.tsx';
import { LabelsPanel } from './labels-panel.tsx';
import { NodePanel } from './node-panel.tsx';
import { OperationsPanel } from './operations-panel.tsx';
import { SourcePanel } from './source-panel.tsx';
import { StatusPanel } from './status-panel.tsx';
import { useHost, useHostStatus } from './use-host.ts';
import { WorkPanel } from './work-panel.tsx';

const route = getRouteApi('/hosts/$address');

const trail = <Link to="/hosts">Hosts</Link>;

function NoSuchHost({ address }: { readonly address: string }) {
  return (
    <Page title={address} trail={trail}>
      <Empty title={`Host ${address} not found`}>
        <p>
          It was removed or never enrolled. View <Link to="/hosts">all hosts</Link> or{' '}
          <Link to="/audit" search={{ host: address }}>
            its audit log entries
          </Link>
          .
        </p>
      </Empty>
    </Page>
  );
}

export function HostPage() {
  const { address } = route.useParams();
  const host = useHost(address);
  const status = useHostStatus(address);
  const problem = host.error ?? status.error;
  if (isGone(problem)) return <NoSuchHost address={address} />;
  if (host.data === undefined || status.data === undefined)
    return (
      <Page title={address} trail={trail}>
        {problem ? <ProblemBox problem={problem} /> : <Loading what="the host" />}
      </Page>
    );

  const { host: own } = status.data;
  const heading = (
    <span className={styles.heading}>
      {address}
      {own.hostname !== undefined && <span className={styles.hostname}>{own.hostname}</span>}
      <Status of={own.status} />
      {own.maintenance.on && <Badge tone="warn">In maintenance</Badge>}
    </span>
  );
  return (
    <Page
      title={address}
      heading={heading}
      trail={trail}
      actions={<HostActions key={address} address={address} own={own} />}
    >
      <ProblemBox problem={problem} />
      <StatusPanel address={address} own={own} />
      <HistoryPanel address={address} status={own.status} />
      <Columns>
        <div className={styles.stack}>
          <FactsPanel host={host.data} own={own} />
          <AccessPanel address={address} own={own} />
          {own.source && <SourcePanel source={own.source} />}
        </div>
        <div className={styles.stack}>
          <WorkPanel tasks={own.tasks} />
          <ChecksPanel address={address} />
          <ClusterPanel address={address} own={own} />
          {status.data.type !== 'host_only' && <NodePanel report={status.data} />}
          <LabelsPanel address={address} labels={own.labels} />
        </div>
      </Columns>
      <OperationsPanel address={address} />
    </Page>
  );
}
