import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormDialog } from '../ui/forms/form-dialog.tsx';
import { showToast } from '../ui/toasts.tsx';
import { ClusterSettingsFields } from './cluster-settings-fields.tsx';

/** Every server has a network named `default`. */
const DEFAULT_SETTINGS = { network: 'default', container_manager: '' };

function CreateClusterDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [settings, setSettings] = useState(DEFAULT_SETTINGS);
  const create = async () => {
    const { status } = await api.putCluster({ name, body: settings });
    showToast(status === 201 ? `Cluster ${name} created` : `Cluster ${name} already exists`);
  };
  return (
    <FormDialog
      title="Create cluster"
      submitLabel="Create cluster"
      onSubmit={create}
      onDone={() => {
        onClose();
        navigate({ to: '/clusters/$name', params: { name } });
      }}
      onClose={onClose}
      fields={['name']}
    >
      {errors => (
        <>
          <TextField
            label="Name"
            autoFocus
            required
            value={name}
            error={errors['name']}
            onChange={({ target }) => setName(target.value)}
          />
          <ClusterSettingsFields settings={settings} onChange={setSettings} />
        </>
      )}
    </FormDialog>
  );
}

export function CreateClusterButton({ disabledReason }: { readonly disabledReason?: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="primary" disabledReason={disabledReason} onClick={() => setIsOpen(true)}>
        Create cluster
      </Button>
      {isOpen && <CreateClusterDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
