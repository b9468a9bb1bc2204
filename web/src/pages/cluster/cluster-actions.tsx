import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { usePermissions } from '../../auth/session.tsx';
import type { ClusterRecord } from '../../clusters/cluster-health.ts';
import { ClusterSettingsFields } from '../../clusters/cluster-settings-fields.tsx';
import { StartOperationDialog } from '../../operations/start/start-operation.tsx';
import { formatCount } from '../../ui/format/text.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { DialogButton, FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { UserDataDialog } from './user-data-dialog.tsx';

export interface ClusterWithEtag {
  readonly cluster: ClusterRecord;
  readonly etag: string;
}

interface ClusterDialogProps {
  /** The cluster when the dialog opened. Saving fails if another user changed its settings in the meantime. */
  readonly opened: ClusterWithEtag;
  readonly onClose: () => void;
}

function RemoveClusterDialog({ opened: { cluster, etag }, onClose }: ClusterDialogProps) {
  const { name, hosts } = cluster;
  const navigate = useNavigate();
  const [typedName, setTypedName] = useState('');
  const remove = async () => {
    await api.removeCluster({ name, headers: { 'if-match': etag } });
    showToast(`Cluster ${name} removed`);
    navigate({ to: '/clusters' });
  };
  return (
    <FormDialog
      title={`Remove cluster ${name}?`}
      submitLabel="Remove cluster"
      isDestructive
      disabledReason={typedName === name ? undefined : 'Type the cluster name to confirm.'}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        {hosts.total === 0
          ? 'The cluster has no hosts.'
          : `Its ${hosts.total === 1 ? 'host stays' : `${formatCount(hosts.total, 'host')} stay`} enrolled without a cluster.`}
      </p>
      <TextField
        label={`Type ${name} to confirm`}
        autoFocus
        autoComplete="off"
        value={typedName}
        onChange={({ target }) => setTypedName(target.value)}
      />
    </FormDialog>
  );
}

function SettingsDialog({ opened: { cluster, etag }, onClose }: ClusterDialogProps) {
  const { name, network, container_manager } = cluster;
  const [settings, setSettings] = useState({ network, container_manager });
  const save = async () => {
    await api.putCluster({ name, body: settings, headers: { 'if-match': etag } });
    showToast(`Settings of ${name} saved`);
  };
  return (
    <FormDialog title={`Edit ${name}`} submitLabel="Save settings" onSubmit={save} onClose={onClose}>
      <ClusterSettingsFields settings={settings} onChange={setSettings} />
      <p>Saving keeps all hosts in the cluster and sets them up again.</p>
    </FormDialog>
  );
}

export function ClusterActions({ loaded }: { readonly loaded: ClusterWithEtag }) {
  const { can, deniedReason } = usePermissions();
  const [dialog, setDialog] = useState<{ readonly kind: 'edit' | 'user-data' | 'remove'; opened: ClusterWithEtag }>();
  const { name } = loaded.cluster;
  const open = (kind: 'edit' | 'user-data' | 'remove') => () => setDialog({ kind, opened: loaded });
  const close = () => setDialog(undefined);
  return (
    <>
      <DialogButton
        variant="primary"
        disabledReason={deniedReason('putRestart')}
        dialog={closeStart => <StartOperationDialog cluster={name} onClose={closeStart} />}
      >
        Start operation
      </DialogButton>
      {(can('putCluster') || can('createUserData') || can('removeCluster')) && (
        <Menu label="More">
          {can('putCluster') && <MenuItem onSelect={open('edit')}>Edit settings</MenuItem>}
          {can('createUserData') && <MenuItem onSelect={open('user-data')}>Generate user data</MenuItem>}
          {can('removeCluster') && (
            <MenuItem isDestructive onSelect={open('remove')}>
              Remove cluster
            </MenuItem>
          )}
        </Menu>
      )}
      {dialog?.kind === 'edit' && <SettingsDialog opened={dialog.opened} onClose={close} />}
      {dialog?.kind === 'user-data' && <UserDataDialog name={name} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveClusterDialog opened={dialog.opened} onClose={close} />}
    </>
  );
}
