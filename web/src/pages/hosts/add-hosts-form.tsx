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
      <ProblemBox problem={errors.summary} />
      <TextArea
        label="Addresses"
        name="addresses"
        rows={3}
        required
        autoFocus
        placeholder="192.0.2.7"
        hint="IPv4 or IPv6, separated by line breaks, spaces or commas."
        onChange={event => setCount(readAddresses(event.currentTarget.value).length)}
      />
      <PrivateKeyField error={errors.of['ssh_priv_key']} />
      <div className={styles.pair}>
        <TextField
          label="SSH user"
          name="remote_user"
          placeholder="root"
          hint="Users other than root need passwordless sudo."
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
        hint="Cluster that the hosts join."
        error={errors.of['cluster']}
      />
      {count < 2 && (
        <TextArea
          label="Host keys"
          name="host_keys"
          rows={2}
          placeholder="ssh-ed25519 AAAA…"
          hint="Contents of /etc/ssh/ssh_host_*_key.pub, one per line. If empty, Hostler trusts the key that the host presents on the first connection."
          error={errors.of['host_keys']}
        />
      )}
      {hint}
      <ProblemBox problem={errors.rest} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {count > 1 ? `Enrol ${counted(count, 'host')}` : 'Enrol host'}
        </Button>
      </DialogActions>
    </Form>
  );
}
