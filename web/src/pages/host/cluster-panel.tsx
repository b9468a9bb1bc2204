import { useState } from 'react';
import { api } from '../../api/client.ts';
import { usePermissions } from '../../auth/session.tsx';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/forms/form-dialog.tsx';
import { ClusterLink } from '../../ui/links.tsx';
import { Panel } from '../../ui/page.tsx';
import type { HostStatusInfo } from './queries.ts';

export function ClusterPanel({ address, status }: { readonly address: string; readonly status: HostStatusInfo }) {
  const { can } = usePermissions();
  const [dialog, setDialog] = useState<'join' | 'leave'>();
  const { cluster } = status;
  const close = () => setDialog(undefined);
  const action =
    cluster === undefined
      ? can('addMember') && (
          <Button size="small" onClick={() => setDialog('join')}>
            Add to cluster
          </Button>
        )
      : can('removeMember') && (
          <Button size="small" onClick={() => setDialog('leave')}>
            Remove from cluster
          </Button>
        );
  return (
    <Panel title="Cluster" actions={action}>
      {cluster === undefined ? (
        <p className="muted">Not in a cluster.</p>
      ) : (
        <p>
          Member of <ClusterLink name={cluster} />
        </p>
      )}
      {dialog === 'join' && (
        <FormDialog
          title={`Add ${address} to a cluster`}
          submitLabel="Add to cluster"
          onSubmit={form => api.addMember({ name: String(form.get('cluster')), address, body: {} })}
          onClose={close}
        >
          <ClusterSelect label="Cluster" name="cluster" emptyLabel="Select a cluster" required />
        </FormDialog>
      )}
      {cluster !== undefined && (
        <ConfirmDialog
          title={`Remove ${address} from ${cluster}`}
          isOpen={dialog === 'leave'}
          onClose={close}
          confirmLabel="Remove from cluster"
          isDestructive
          onConfirm={() => api.removeMember({ name: cluster, address })}
        >
          <p>
            Hostler removes the network and container manager setup from the host. The host stays enrolled, and health
            checks continue.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
