import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { usePermissions } from '../auth/session.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { DialogButton, FormDialog } from '../ui/forms/form-dialog.tsx';
import { showToast } from '../ui/toasts.tsx';
import { ClusterSettingsFields } from './cluster-settings-fields.tsx';

/** Every server has a network named `default`. */
const DEFAULT_SETTINGS = { network: 'default', container_manager: '' };

export function CreateClusterDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [settings, setSettings] = useState(DEFAULT_SETTINGS);
  const create = async (form: FormData) => {
    const name = String(form.get('name'));
    const { status } = await api.putCluster({ name, body: settings });
    showToast(status === 201 ? `Cluster ${name} created` : `Cluster ${name} already exists`);
    navigate({ to: '/clusters/$name', params: { name } });
  };
  return (
    <FormDialog
      title="Create cluster"
      submitLabel="Create cluster"
      onSubmit={create}
      onClose={onClose}
      fields={['name']}
    >
      <TextField label="Name" name="name" autoFocus required />
      <ClusterSettingsFields settings={settings} onChange={setSettings} />
    </FormDialog>
  );
}

export function CreateClusterButton() {
  const { deniedReason } = usePermissions();
  return (
    <DialogButton
      variant="primary"
      disabledReason={deniedReason('putCluster')}
      dialog={close => <CreateClusterDialog onClose={close} />}
    >
      Create cluster
    </DialogButton>
  );
}
