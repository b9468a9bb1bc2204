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

interface RemoveDialogProps {
  readonly name: string;
  readonly hosts: number;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function Form({ name, hosts, onClose }: Omit<RemoveDialogProps, 'isOpen'>) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { run, isBusy, problem } = useAsk(async () => {
    await api.removeCluster({ name });
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
        {hosts === 0
          ? 'It has no hosts.'
          : `Its ${hosts === 1 ? 'host stays, and will be' : `${hosts} hosts stay, and will be`} in no cluster.`}
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

export const RemoveDialog = ({ isOpen, ...form }: RemoveDialogProps) => (
  <Dialog title={`Remove the cluster ${form.name}?`} isOpen={isOpen} onClose={form.onClose}>
    <Form {...form} />
  </Dialog>
);
