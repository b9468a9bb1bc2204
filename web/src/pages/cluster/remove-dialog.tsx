import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { notice } from '../../ui/notices.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { useAsk } from '../../ui/use-ask.ts';
import styles from './cluster.module.css';
import type { EditedCluster } from './settings-dialog.tsx';

function Form({ removed, onClose }: { readonly removed: EditedCluster; readonly onClose: () => void }) {
  const { name, hosts } = removed.cluster;
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { run, isBusy, problem } = useAsk(async () => {
    await api.removeCluster({ name, headers: { 'if-match': removed.etag } });
    notice(`The cluster ${name} was removed.`);
    onClose();
    await navigate({ to: '/clusters' });
  });
  const whyNot = typed === name ? undefined : 'Type the name of the cluster first.';
  return (
    <form
      className={styles.choosing}
      onSubmit={event => {
        event.preventDefault();
        if (whyNot === undefined && !isBusy) run();
      }}
    >
      <p>
        {hosts.total === 0
          ? 'It has no hosts.'
          : `Its ${hosts.total === 1 ? 'host stays, and will be' : `${hosts.total} hosts stay, and will be`} in no cluster.`}
      </p>
      <TextField
        label={`Type ${name} to remove it`}
        autoFocus
        autoComplete="off"
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      <ProblemBox problem={problem} />
      <DialogActions>
        <Button onClick={onClose}>Leave it</Button>
        <Button kind="danger" type="submit" isBusy={isBusy} whyNot={whyNot}>
          Remove cluster
        </Button>
      </DialogActions>
    </form>
  );
}

interface RemoveDialogProps {
  /** As it was when the dialog was opened; `undefined`: it is closed. */
  readonly removed: EditedCluster | undefined;
  readonly onClose: () => void;
}

/** Removes a cluster. If somebody else has changed its settings meanwhile, that is told and nothing is done. */
export const RemoveDialog = ({ removed, onClose }: RemoveDialogProps) => (
  <Dialog
    title={`Remove the cluster ${removed?.cluster.name ?? ''}?`}
    isOpen={removed !== undefined}
    onClose={onClose}
  >
    {removed && <Form removed={removed} onClose={onClose} />}
  </Dialog>
);
