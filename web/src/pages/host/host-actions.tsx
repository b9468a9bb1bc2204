import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { usePermissions } from '../../auth/session.tsx';
import { getFieldText } from '../../enrolment/enrolment-input.ts';
import { PrivateKeyField, readPrivateKey } from '../../enrolment/private-key-field.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { HostStatusInfo } from './queries.ts';

interface HostDialogProps {
  readonly address: string;
  readonly onClose: () => void;
}

export function CredentialsDialog({ address, onClose }: HostDialogProps) {
  const replace = async (form: FormData) => {
    const user = getFieldText(form, 'remote_user');
    const body = { ssh_priv_key: await readPrivateKey(form), ...(user !== '' && { remote_user: user }) };
    await api.putHostCreds({ address, body });
    showToast(`Credentials of ${address} tested and replaced`);
  };
  return (
    <FormDialog
      title={`Replace credentials of ${address}`}
      submitLabel="Test and replace"
      onSubmit={replace}
      onClose={onClose}
      fields={['ssh_priv_key', 'remote_user']}
    >
      <p>Hostler tests the credentials on the host and stores them only if they work.</p>
      <PrivateKeyField />
      <TextField label="SSH user" name="remote_user" hint="Leave empty to keep the current user." />
    </FormDialog>
  );
}

const MaintenanceDialog = ({ address, onClose }: HostDialogProps) => (
  <FormDialog
    title={`Start maintenance of ${address}`}
    submitLabel="Start maintenance"
    onSubmit={form => api.putHostMaintenance({ address, body: { on: true, reason: String(form.get('reason')) } })}
    onClose={onClose}
    fields={['reason']}
  >
    <p>
      During maintenance, no operation changes the host, it raises no alerts, and it counts as unavailable in its
      cluster. Health checks continue.
    </p>
    <TextField label="Reason" name="reason" autoFocus hint="Optional. Shown to other users." />
  </FormDialog>
);

interface HostActionsProps {
  readonly address: string;
  readonly status: HostStatusInfo;
}

export function HostActions({ address, status: { maintenance } }: HostActionsProps) {
  const { can, deniedReason } = usePermissions();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'maintenance' | 'end-maintenance' | 'retry' | 'credentials' | 'remove'>();
  const close = () => setDialog(undefined);
  const remove = async () => {
    await api.removeHost({ address });
    showToast(`Host ${address} removed`);
    await navigate({ to: '/hosts' });
  };
  return (
    <>
      <Button
        disabledReason={deniedReason('putHostMaintenance')}
        onClick={() => setDialog(maintenance.on ? 'end-maintenance' : 'maintenance')}
      >
        {maintenance.on ? 'End maintenance' : 'Start maintenance'}
      </Button>
      {can('bootstrapHost') && (
        <Menu label="More">
          <MenuItem onSelect={() => setDialog('retry')}>Retry bootstrap</MenuItem>
          {can('putHostCreds') && <MenuItem onSelect={() => setDialog('credentials')}>Replace credentials</MenuItem>}
          <MenuItem isDestructive onSelect={() => setDialog('remove')}>
            Remove host
          </MenuItem>
        </Menu>
      )}
      {dialog === 'maintenance' && <MaintenanceDialog address={address} onClose={close} />}
      {dialog === 'credentials' && <CredentialsDialog address={address} onClose={close} />}
      <ConfirmDialog
        title={`End maintenance of ${address}`}
        isOpen={dialog === 'end-maintenance'}
        onClose={close}
        confirmLabel="End maintenance"
        onConfirm={() => api.putHostMaintenance({ address, body: { on: false } })}
      >
        <p>The host counts as available again when it is active, and operations can change it.</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={`Retry bootstrap of ${address}`}
        isOpen={dialog === 'retry'}
        onClose={close}
        confirmLabel="Retry bootstrap"
        onConfirm={() => api.bootstrapHost({ address, body: {} })}
      >
        <p>Hostler reads the facts of the host and bootstraps it again, in any status.</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={`Remove host ${address}`}
        isOpen={dialog === 'remove'}
        onClose={close}
        confirmLabel="Remove host"
        isDestructive
        onConfirm={remove}
      >
        <p>
          This removes the host’s record, cluster membership and credentials from Hostler. The host itself does not
          change. To undo its network and container manager setup, cancel and remove it from its cluster first.
        </p>
      </ConfirmDialog>
    </>
  );
}
