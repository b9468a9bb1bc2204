import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormDialog } from '../ui/forms/form-dialog.tsx';
import { notice } from '../ui/notices.tsx';
import { SettingsFields } from './settings-fields.tsx';

/** The network that a service begins with. */
const FIRST = { network: 'default', container_manager: '' };

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [settings, setSettings] = useState(FIRST);
  const create = async () => {
    const { status } = await api.putCluster({ name, body: settings });
    notice(status === 201 ? `Cluster ${name} created` : `Cluster ${name} already exists`);
  };
  return (
    <FormDialog
      title="Create cluster"
      verb="Create cluster"
      ask={create}
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
          <SettingsFields settings={settings} onChange={setSettings} />
        </>
      )}
    </FormDialog>
  );
}

/** The button, and the dialog behind it. */
export function CreateCluster({ whyNot }: { readonly whyNot?: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="primary" whyNot={whyNot} onClick={() => setIsOpen(true)}>
        Create cluster
      </Button>
      {isOpen && <CreateDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
