import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { notice } from '../../ui/notices.tsx';
import { counted } from '../../ui/words/counted.ts';
import type { EditedCluster } from './settings-dialog.tsx';

interface RemoveDialogProps {
  /** As it was when somebody asked: what has become of it since, they have not seen. */
  readonly removed: EditedCluster;
  readonly onClose: () => void;
}

/** Removes a cluster. If somebody else has changed its settings meanwhile, that is told and nothing is done. */
export function RemoveDialog({ removed, onClose }: RemoveDialogProps) {
  const { name, hosts } = removed.cluster;
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const remove = async () => {
    await api.removeCluster({ name, headers: { 'if-match': removed.etag } });
    notice(`Cluster ${name} removed`);
  };
  return (
    <FormDialog
      title={`Remove cluster ${name}?`}
      verb="Remove cluster"
      isDangerous
      whyNot={typed === name ? undefined : 'Type the cluster name to confirm.'}
      ask={remove}
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
              : `Its ${hosts.total === 1 ? 'host stays' : `${counted(hosts.total, 'host')} stay`} enrolled without a cluster.`}
          </p>
          <TextField
            label={`Type ${name} to confirm`}
            autoFocus
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
