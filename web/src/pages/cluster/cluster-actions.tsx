import { useState } from 'react';
import { StartOperation } from '../../operations/start/start-operation.tsx';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import type { EditedCluster } from './settings-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { UserDataDialog } from './user-data-dialog.tsx';

/** What can be done with a whole cluster. */
export function ClusterActions({ read }: { readonly read: EditedCluster }) {
  const { may, whyNot } = useMay();
  const [opened, setOpened] = useState<'start' | 'user-data'>();
  const [edited, setEdited] = useState<EditedCluster>();
  const [removed, setRemoved] = useState<EditedCluster>();
  const { name } = read.cluster;
  const close = () => setOpened(undefined);
  return (
    <>
      <Button
        kind="primary"
        whyNot={may('putRestart') ? undefined : whyNot('putRestart')}
        onClick={() => setOpened('start')}
      >
        Start operation
      </Button>
      {(may('putCluster') || may('createUserData') || may('removeCluster')) && (
        <Menu label="More">
          {may('putCluster') && <MenuItem onChoose={() => setEdited(read)}>Edit settings</MenuItem>}
          {may('createUserData') && (
            <MenuItem onChoose={() => setOpened('user-data')}>Generate user data</MenuItem>
          )}
          {may('removeCluster') && (
            <MenuItem isDangerous onChoose={() => setRemoved(read)}>
              Remove cluster
            </MenuItem>
          )}
        </Menu>
      )}
      <StartOperation cluster={name} isOpen={opened === 'start'} onClose={close} />
      {edited && <SettingsDialog edited={edited} onClose={() => setEdited(undefined)} />}
      <UserDataDialog name={name} isOpen={opened === 'user-data'} onClose={close} />
      {removed && <RemoveDialog removed={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}
