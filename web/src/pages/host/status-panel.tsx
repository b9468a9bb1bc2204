import { useState } from 'react';
import { getHostKeyPath } from '#sdk/format.ts';
import type { HostStatus } from '#vocabulary';
import { HOST_STATUSES } from '#vocabulary';
import { api } from '../../api/client.ts';
import { usePermissions } from '../../auth/session.tsx';
import { StatusHistoryChart, useStatusHistory } from '../../live/status-history-chart.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { DAY_MS, TimeRangePicker } from '../../ui/charts/time-range-picker.tsx';
import { useAction } from '../../ui/forms/form.tsx';
import { ConfirmButton, DialogButton } from '../../ui/forms/form-dialog.tsx';
import { DescriptionList, Panel, QueryView } from '../../ui/page.tsx';
import styles from './host.module.css';
import { CredentialsDialog } from './host-actions.tsx';
import type { HostStatusInfo } from './queries.ts';
import { concernsCredentials, getStatusHelp } from './status-help.ts';

interface AcceptKeyButtonProps {
  readonly address: string;
  readonly pendingKey: NonNullable<HostStatusInfo['pending_host_key']>;
}

/** The user must compare the fingerprint before accepting the key. */
const AcceptKeyButton = ({ address, pendingKey }: AcceptKeyButtonProps) => (
  <ConfirmButton
    button={{ children: 'Review host key' }}
    title={`Accept pending host key of ${address}`}
    confirmLabel="Fingerprints match, accept key"
    isDestructive
    onConfirm={() => api.acceptHostKey({ address, body: { fingerprint: pendingKey.fingerprint } })}
  >
    <p>The host presented a different key than the one on record:</p>
    <DescriptionList
      items={[
        ['Type', pendingKey.type],
        ['Fingerprint', <code key="fingerprint">{pendingKey.fingerprint}</code>],
      ]}
    />
    <p>On the console of the host (not over the network), run this command and compare the fingerprint:</p>
    <pre className={styles.command}>ssh-keygen -lf {getHostKeyPath(pendingKey.type)}</pre>
    <p>
      If the fingerprints differ, do not accept the key: the connection may be intercepted. After you accept the key,
      Hostler trusts only this key and bootstraps the host again.
    </p>
  </ConfirmButton>
);

interface StatusPanelProps {
  readonly address: string;
  readonly hostStatus: HostStatusInfo;
}

export function StatusPanel({ address, hostStatus }: StatusPanelProps) {
  const { can } = usePermissions();
  const retry = useAction(() => api.bootstrapHost({ address, body: {} }));
  const { status, reason = '', maintenance, pending_host_key: pendingKey } = hostStatus;
  const { meaning, action } = getStatusHelp(status, reason);
  const canRetry = status === 'failed' && !pendingKey && can('bootstrapHost');
  const canReplaceCredentials = concernsCredentials(reason) && can('putHostCreds');
  return (
    <Panel title="Status">
      <div className={styles.status}>
        <p className={styles.summary}>{reason === '' ? meaning : reason}</p>
        {action !== '' && <p>{action}</p>}
        {maintenance.on && (
          <p className={styles.error}>In maintenance{maintenance.reason === '' ? '.' : `: ${maintenance.reason}`}</p>
        )}
        {pendingKey && (
          <div className={styles.row}>
            <p>
              Pending host key: {pendingKey.type} <code className={styles.key}>{pendingKey.fingerprint}</code>
            </p>
            {can('acceptHostKey') && <AcceptKeyButton address={address} pendingKey={pendingKey} />}
          </div>
        )}
        {(canRetry || canReplaceCredentials) && (
          <div className={styles.row}>
            {canRetry && (
              <Button variant="primary" isLoading={retry.isLoading} onClick={() => retry.run()}>
                Retry bootstrap
              </Button>
            )}
            {canReplaceCredentials && (
              <DialogButton dialog={close => <CredentialsDialog address={address} onClose={close} />}>
                Replace credentials
              </DialogButton>
            )}
          </div>
        )}
        <ErrorBox error={retry.error} />
      </div>
    </Panel>
  );
}

export function HistoryPanel({ address, status }: { readonly address: string; readonly status: HostStatus }) {
  const [rangeMs, setRangeMs] = useState(DAY_MS);
  const history = useStatusHistory({ kind: 'host', name: address, statuses: HOST_STATUSES });
  return (
    <Panel title="Status history" actions={<TimeRangePicker rangeMs={rangeMs} onSelect={setRangeMs} />}>
      <QueryView query={history} label="the status history">
        {({ value }) => (
          <StatusHistoryChart history={value} current={status} rangeMs={rangeMs} label={`Status of ${address}`} />
        )}
      </QueryView>
    </Panel>
  );
}
