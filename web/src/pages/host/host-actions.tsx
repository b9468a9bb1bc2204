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
    notice(`The host ${address} is removed.`);
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
          Begin maintenance
        </Button>
      )}
      {may('bootstrapHost') && (
        <Menu label="More">
          <MenuItem onChoose={() => setAsked('retry')}>Bootstrap again</MenuItem>
          {may('putHostCreds') && (
            <MenuItem onChoose={() => setAsked('credentials')}>Replace credentials</MenuItem>
          )}
          <MenuItem isDangerous onChoose={() => setAsked('remove')}>
            Remove the host
          </MenuItem>
        </Menu>
      )}
      {asked === 'maintenance' && <MaintenanceDialog address={address} onClose={close} />}
      {asked === 'credentials' && <CredentialsDialog address={address} onClose={close} />}
      <Confirm
        title={`End the maintenance of ${address}`}
        isOpen={asked === 'back'}
        onClose={close}
        verb="Put it back into service"
        ask={() => api.putHostMaintenance({ address, body: { on: false } })}
      >
        <p>It counts as available again where it is active, and operations may touch it.</p>
      </Confirm>
      <Confirm
        title={`Bootstrap ${address} again`}
        isOpen={asked === 'retry'}
        onClose={close}
        verb="Bootstrap again"
        ask={() => api.bootstrapHost({ address, body: {} })}
      >
        <p>It is investigated and made ready anew, in whatever status it is.</p>
      </Confirm>
      <Confirm
        title={`Remove ${address}`}
        isOpen={asked === 'remove'}
        onClose={close}
        verb="Remove the host"
        isDangerous
        ask={remove}
      >
        <p>
          Its record, membership and credentials are gone then. On the host itself nothing is undone: take it
          out of its cluster first if it is to undo what brought it in.
        </p>
      </Confirm>
    </>
  );
}
