import type { FormEvent } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './host.module.css';

interface MaintenanceDialogProps {
  readonly address: string;
  readonly onClose: () => void;
}

export function MaintenanceDialog({ address, onClose }: MaintenanceDialogProps) {
  const { run, isBusy, problem } = useAsk(
    (reason: string) => api.putHostMaintenance({ address, body: { on: true, reason } }),
    onClose,
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    run(String(new FormData(event.currentTarget).get('reason')));
  };
  return (
    <Dialog title={`Maintenance of ${address}`} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <p>It counts as unavailable in its cluster, and no operation touches it. It is watched as before.</p>
        <TextField label="Reason" name="reason" autoFocus hint="Why, for people." />
        <ProblemBox problem={problem} />
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Begin maintenance
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
