import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { NAME_PATTERN, NAME_RULE } from '#vocabulary';
import { api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { notice } from '../ui/notices.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';
import { useAsk } from '../ui/use-ask.ts';
import styles from './create-cluster.module.css';
import { SettingsFields } from './settings-fields.tsx';

/** The network that a service begins with. */
const FIRST = { network: 'default', container_manager: '' };
const NAME = new RegExp(`^${NAME_PATTERN}$`);

function Form({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [settings, setSettings] = useState(FIRST);
  const [isTried, setIsTried] = useState(false);
  const wrong = NAME.test(name) ? undefined : NAME_RULE;
  const { run, isBusy, problem } = useAsk(async () => {
    const { status } = await api.putCluster({ name, body: settings });
    notice(status === 201 ? `The cluster ${name} was made.` : `The cluster ${name} is there already.`);
    onClose();
    await navigate({ to: '/clusters/$name', params: { name } });
  });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        setIsTried(true);
        if (wrong === undefined && !isBusy) run();
      }}
    >
      <TextField
        label="Name"
        autoFocus
        value={name}
        error={isTried ? wrong : undefined}
        onChange={event => setName(event.target.value)}
      />
      <SettingsFields settings={settings} onChange={setSettings} />
      <ProblemBox problem={problem} />
      <DialogActions>
        <Button onClick={onClose}>Leave it</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Create cluster
        </Button>
      </DialogActions>
    </form>
  );
}

/** The button, and the dialog behind it. */
export function CreateCluster({ whyNot }: { readonly whyNot?: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="primary" whyNot={whyNot} onClick={() => setIsOpen(true)}>
        Create cluster
      </Button>
      <Dialog title="Create a cluster" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <Form onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}
