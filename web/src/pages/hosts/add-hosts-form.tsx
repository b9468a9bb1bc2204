import type { ReactNode } from 'react';
import { useState } from 'react';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { readAddresses } from '../../fleet/added-hosts.ts';
import { PrivateKeyField } from '../../fleet/private-key-field.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/forms/field.tsx';
import { fieldErrors } from '../../ui/forms/field-errors.ts';
import { Form } from '../../ui/forms/form.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { counted } from '../../ui/words/counted.ts';
import styles from './add-hosts-form.module.css';

interface AddHostsFormProps {
  readonly onEnrol: (form: FormData) => Promise<void>;
  readonly onClose: () => void;
  readonly hint: ReactNode;
}

/** As the service calls them. */
const FIELDS = ['ssh_priv_key', 'remote_user', 'ssh_port', 'cluster', 'host_keys'];

export function AddHostsForm({ onEnrol, onClose, hint }: AddHostsFormProps) {
  const [count, setCount] = useState(0);
  const { run, isBusy, problem } = useAsk(onEnrol);
  const errors = fieldErrors(problem, FIELDS);
  return (
    <Form onSubmit={run} isBusy={isBusy} problem={problem}>
      <TextArea
        label="Addresses"
        name="addresses"
        rows={3}
        required
        autoFocus
        placeholder="192.0.2.7"
        hint="IPv4 or IPv6; several in lines, or with spaces or commas in between."
        onChange={event => setCount(readAddresses(event.currentTarget.value).length)}
      />
      <PrivateKeyField error={errors.of['ssh_priv_key']} />
      <div className={styles.pair}>
        <TextField
          label="User"
          name="remote_user"
          placeholder="root"
          hint="Others use sudo without a password."
          error={errors.of['remote_user']}
        />
        <TextField
          label="Port"
          name="ssh_port"
          type="number"
          placeholder="22"
          min={1}
          max={65535}
          error={errors.of['ssh_port']}
        />
      </div>
      <ClusterSelect
        label="Cluster"
        name="cluster"
        none="None"
        hint="They join it when they are ready."
        error={errors.of['cluster']}
      />
      {count < 2 && (
        <TextArea
          label="Host keys"
          name="host_keys"
          rows={2}
          placeholder="ssh-ed25519 AAAA…"
          hint="As in /etc/ssh/ssh_host_*_key.pub, one in each line. Empty: the first that it shows is kept."
          error={errors.of['host_keys']}
        />
      )}
      {hint}
      <ProblemBox problem={errors.rest} />
      <DialogActions>
        <Button onClick={onClose}>Leave it</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {count > 1 ? `Add ${counted(count, 'host')}` : 'Add the host'}
        </Button>
      </DialogActions>
    </Form>
  );
}
