import type { FormEvent } from 'react';
import { api } from '../../api/client.ts';
import { PrivateKeyField, readPrivateKey } from '../../fleet/private-key-field.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { notice } from '../../ui/notices.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './host.module.css';

interface CredentialsDialogProps {
  readonly address: string;
  readonly onClose: () => void;
}

async function replace(address: string, form: FormData): Promise<void> {
  const user = String(form.get('remote_user') ?? '').trim();
  const body = { ssh_priv_key: await readPrivateKey(form), ...(user !== '' && { remote_user: user }) };
  await api.putHostCreds({ address, body });
  notice(`The host ${address} has new credentials; they were tried and work.`);
}

export function CredentialsDialog({ address, onClose }: CredentialsDialogProps) {
  const { run, isBusy, problem } = useAsk((form: FormData) => replace(address, form), onClose);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    run(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={`Replace the credentials of ${address}`} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <p>They are tried on the host first, and stored only when they work.</p>
        <PrivateKeyField />
        <TextField label="User" name="remote_user" hint="Empty: as it was." />
        <ProblemBox problem={problem} />
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Try and replace them
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
