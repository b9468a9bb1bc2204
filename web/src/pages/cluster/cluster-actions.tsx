import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { usePermissions } from '../../auth/session.tsx';
import type { ClusterRecord } from '../../clusters/cluster-health.ts';
import { ClusterSettingsFields } from '../../clusters/cluster-settings-fields.tsx';
import { StartOperationDialog } from '../../operations/start/start-operation.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format/text.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { UserDataDialog } from './user-data-dialog.tsx';

interface RemoveClusterDialogProps {
  /** The cluster when the user opened the dialog. Later changes are detected by its ETag. */
  readonly target: ClusterWithEtag;
  readonly onClose: () => void;
}

/** Fails if another user changed the settings in the meantime. */
export function RemoveClusterDialog({ target, onClose }: RemoveClusterDialogProps) {
  const { name, hosts } = target.cluster;
  const navigate = useNavigate();
  const [typedName, setTypedName] = useState('');
  const remove = async () => {
    await api.removeCluster({ name, headers: { 'if-match': target.etag } });
    showToast(`Cluster ${name} removed`);
  };
  return (
    <FormDialog
      title={`Remove cluster ${name}?`}
      submitLabel="Remove cluster"
      isDestructive
      disabledReason={typedName === name ? undefined : 'Type the cluster name to confirm.'}
      onSubmit={remove}
      onClose={onClose}
      onDone={() => {
        onClose();
        navigate({ to: '/clusters' });
      }}
    >
      {() => (
        <>
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
        </>
      )}
    </FormDialog>
  );
}

export interface ClusterWithEtag {
  readonly cluster: ClusterRecord;
  readonly etag: string;
}

interface SettingsDialogProps {
  readonly edited: ClusterWithEtag;
  readonly onClose: () => void;
}

/** Fails if another user changed the settings in the meantime. */
export function SettingsDialog({ edited, onClose }: SettingsDialogProps) {
  const { name, network, container_manager } = edited.cluster;
  const [settings, setSettings] = useState({ network, container_manager });
  const save = async () => {
    await api.putCluster({ name, body: settings, headers: { 'if-match': edited.etag } });
    showToast(`Settings of ${name} saved`);
  };
  return (
    <FormDialog title={`Edit ${name}`} submitLabel="Save settings" onSubmit={save} onClose={onClose}>
      {() => (
        <>
          <ClusterSettingsFields settings={settings} onChange={setSettings} />
          <p>Saving keeps all hosts in the cluster and sets them up again.</p>
        </>
      )}
    </FormDialog>
  );
}

export function ClusterActions({ loaded }: { readonly loaded: ClusterWithEtag }) {
  const { can, deniedReason } = usePermissions();
  const [dialog, setDialog] = useState<'start' | 'user-data'>();
  const [edited, setEdited] = useState<ClusterWithEtag>();
  const [removed, setRemoved] = useState<ClusterWithEtag>();
  const { name } = loaded.cluster;
  const close = () => setDialog(undefined);
  return (
    <>
      <Button
        variant="primary"
        disabledReason={can('putRestart') ? undefined : deniedReason('putRestart')}
        onClick={() => setDialog('start')}
      >
        Start operation
      </Button>
      {(can('putCluster') || can('createUserData') || can('removeCluster')) && (
        <Menu label="More">
          {can('putCluster') && <MenuItem onSelect={() => setEdited(loaded)}>Edit settings</MenuItem>}
          {can('createUserData') && <MenuItem onSelect={() => setDialog('user-data')}>Generate user data</MenuItem>}
          {can('removeCluster') && (
            <MenuItem isDestructive onSelect={() => setRemoved(loaded)}>
              Remove cluster
            </MenuItem>
          )}
        </Menu>
      )}
      <StartOperationDialog cluster={name} isOpen={dialog === 'start'} onClose={close} />
      {edited && <SettingsDialog edited={edited} onClose={() => setEdited(undefined)} />}
      <UserDataDialog name={name} isOpen={dialog === 'user-data'} onClose={close} />
      {removed && <RemoveClusterDialog target={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}
