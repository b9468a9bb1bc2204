import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { notice } from '../../ui/notices.tsx';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { MaintenanceDialog } from './maintenance-dialog.tsx';
import type { OwnStatus } from './use-host.ts';

type Asked = 'maintenance' | 'back' | 'retry' | 'credentials' | 'remove';

interface HostActionsProps {
  readonly address: string;
  readonly own: OwnStatus;
}

/** What can be done with it as a whole. */
export function HostActions({ address, own: { maintenance } }: HostActionsProps) {
  const { may, whyNot } = useMay();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const remove = async () => {
    await api.removeHost({ address });
    notice(`Host ${address} removed`);
    await navigate({ to: '/hosts' });
  };
  const cannot = may('putHostMaintenance') ? undefined : whyNot('putHostMaintenance');
  return (
    <>
      {maintenance.on ? (
        <Button whyNot={cannot} onClick={() => setAsked('back')}>
          End maintenance
        </Button>
      ) : (
        <Button whyNot={cannot} onClick={() => setAsked('maintenance')}>
          Start maintenance
        </Button>
      )}
      {may('bootstrapHost') && (
        <Menu label="More">
          <MenuItem onChoose={() => setAsked('retry')}>Retry bootstrap</MenuItem>
          {may('putHostCreds') && (
            <MenuItem onChoose={() => setAsked('credentials')}>Replace credentials</MenuItem>
          )}
          <MenuItem isDangerous onChoose={() => setAsked('remove')}>
            Remove host
          </MenuItem>
        </Menu>
      )}
      {asked === 'maintenance' && <MaintenanceDialog address={address} onClose={close} />}
      {asked === 'credentials' && <CredentialsDialog address={address} onClose={close} />}
      <Confirm
        title={`End maintenance of ${address}`}
        isOpen={asked === 'back'}
        onClose={close}
        verb="End maintenance"
        ask={() => api.putHostMaintenance({ address, body: { on: false } })}
      >
        <p>The host counts as available again when it is active, and operations can change it.</p>
      </Confirm>
      <Confirm
        title={`Retry bootstrap of ${address}`}
        isOpen={asked === 'retry'}
        onClose={close}
        verb="Retry bootstrap"
        ask={() => api.bootstrapHost({ address, body: {} })}
      >
        <p>Hostler reads the facts of the host and bootstraps it again, in any status.</p>
      </Confirm>
      <Confirm
        title={`Remove host ${address}`}
        isOpen={asked === 'remove'}
        onClose={close}
        verb="Remove host"
        isDangerous
        ask={remove}
      >
        <p>
          This removes the host’s record, cluster membership and credentials from Hostler. The host itself
          does not change. To undo its network and container manager setup, cancel and remove it from its
          cluster first.
        </p>
      </Confirm>
    </>
  );
}
