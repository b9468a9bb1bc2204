import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { useAsk } from '../../ui/use-ask.ts';
import styles from './cluster.module.css';
import type { UserDataDraft } from './user-data-wish.ts';
import { NO_USER_DATA, userDataWish } from './user-data-wish.ts';
import { UserScript } from './user-script.tsx';

interface UserDataDialogProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function Form({ name, onClose }: Omit<UserDataDialogProps, 'isOpen'>) {
  const [draft, setDraft] = useState<UserDataDraft>(NO_USER_DATA);
  const [made, setMade] = useState<{ readonly script: string; readonly token: string }>();
  const { run, isBusy, problem } = useAsk(async () => {
    const { body, headers } = await api.putUserData({ name, body: userDataWish(draft) });
    setMade({ script: body, token: headers.get('hostler-token') ?? '' });
  });
  const bound = (field: keyof UserDataDraft) => ({
    value: draft[field],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setDraft({ ...draft, [field]: event.target.value }),
  });
  if (made) return <UserScript {...made} cluster={name} onClose={onClose} />;
  return (
    <form
      className={styles.choosing}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (!isBusy) run();
      }}
    >
      <p>
        A script for cloud-init, by which hosts enrol themselves into {name}. Each one has a token of its own.
      </p>
      <div className={styles.pair}>
        <TextField label="For how many hosts" placeholder="1" inputMode="numeric" {...bound('uses')} />
        <TextField label="For how many hours" placeholder="24" inputMode="decimal" {...bound('hours')} />
      </div>
      <TextField
        label="Network that they call from"
        hint="Such as 10.0.0.0/8."
        placeholder="any"
        {...bound('cidr')}
      />
      <TextField
        label="Where they find the service"
        placeholder="as it is configured (public_url)"
        type="url"
        {...bound('url')}
      />
      <TextField label="User that the service logs in as" placeholder="root" {...bound('remote_user')} />
      <TextArea
        label="Certificates of the service"
        hint="As PEM. Left out: those that systems know."
        rows={3}
        {...bound('ca')}
      />
      <ProblemBox problem={problem} />
      <DialogActions>
        <Button onClick={onClose}>Leave it</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Make user-data
        </Button>
      </DialogActions>
    </form>
  );
}

export const UserDataDialog = ({ isOpen, ...form }: UserDataDialogProps) => (
  <Dialog title={`User-data for ${form.name}`} isOpen={isOpen} onClose={form.onClose}>
    <Form {...form} />
  </Dialog>
);
