import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { EnrolBody } from '#sdk/enrolment.ts';
import { api } from '../api/client.ts';
import { usePermissions } from '../auth/session.tsx';
import { ClusterSelect } from '../clusters/cluster-select.tsx';
import { BulkProgressView, useBulkRun } from '../hosts/bulk-progress.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { formatCount } from '../ui/format/text.ts';
import { TextArea, TextField } from '../ui/forms/field.tsx';
import { Form, useAction } from '../ui/forms/form.tsx';
import { enrolHosts } from './enrol-hosts.ts';
import styles from './enrol-hosts-dialog.module.css';
import { getFieldText, parseAddresses, parseKeyLines } from './enrolment-input.ts';
import { PrivateKeyField, readPrivateKey } from './private-key-field.tsx';
import { resolveAddresses } from './resolve-addresses.ts';

/** Field names of the API. */
const FIELDS = ['addresses', 'ssh_priv_key', 'remote_user', 'ssh_port', 'cluster', 'host_keys'];

interface EnrolHostsFormProps {
  readonly onEnrol: (form: FormData) => Promise<void>;
  readonly onClose: () => void;
}

function EnrolHostsForm({ onEnrol, onClose }: EnrolHostsFormProps) {
  const [count, setCount] = useState(0);
  const { run, isLoading, error } = useAction(onEnrol);
  const actions = (
    <DialogActions>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" type="submit" isLoading={isLoading}>
        {count > 1 ? `Enrol ${formatCount(count, 'host')}` : 'Enrol host'}
      </Button>
    </DialogActions>
  );
  return (
    <Form onSubmit={run} isLoading={isLoading} error={error} fields={FIELDS} actions={actions}>
      <TextArea
        label="Addresses"
        name="addresses"
        rows={3}
        required
        autoFocus
        placeholder="192.0.2.7 or edge-1.example.com"
        hint="IPv4 or IPv6 addresses or DNS names, separated by line breaks, spaces or commas. Hostler stores the address of a name."
        onChange={event => setCount(parseAddresses(event.currentTarget.value).length)}
      />
      <PrivateKeyField />
      <div className={styles.pair}>
        <TextField
          label="SSH user"
          name="remote_user"
          placeholder="root"
          hint="Users other than root need passwordless sudo."
        />
        <TextField label="Port" name="ssh_port" type="number" placeholder="22" min={1} max={65535} />
      </div>
      <ClusterSelect label="Cluster" name="cluster" emptyLabel="None" hint="Cluster that the hosts join." />
      {count < 2 && (
        <TextArea
          label="Host keys"
          name="host_keys"
          rows={2}
          placeholder="ssh-ed25519 AAAA…"
          hint="Contents of /etc/ssh/ssh_host_*_key.pub, one per line. If empty, Hostler trusts the key that the host presents on the first connection."
        />
      )}
      <SelfEnrolmentHint />
    </Form>
  );
}

async function toEnrolBody(form: FormData): Promise<EnrolBody> {
  const text = (name: string) => getFieldText(form, name);
  const keys = parseKeyLines(text('host_keys'));
  return {
    ssh_priv_key: await readPrivateKey(form),
    ...(text('remote_user') !== '' && { remote_user: text('remote_user') }),
    ...(text('ssh_port') !== '' && { ssh_port: Number(text('ssh_port')) }),
    ...(text('cluster') !== '' && { cluster: text('cluster') }),
    ...(keys.length > 0 && { host_keys: keys }),
  };
}

const SelfEnrolmentHint = () => {
  const { can } = usePermissions();
  return (
    <p className="muted">
      Hosts can also enrol themselves at first boot.{' '}
      {can('listTokens') ? (
        <>
          Create an <Link to="/tokens">enrolment token</Link>.
        </>
      ) : (
        'Ask an admin for an enrolment token.'
      )}
    </p>
  );
};

/** Enrols hosts with one private key. A rejected host does not affect the others. */
export function EnrolHostsDialog({ onClose }: { readonly onClose: () => void }) {
  const { progress, isRunning, start, stop, reset } = useBulkRun();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  /** The addresses of hosts that the user named. */
  const [resolved, setResolved] = useState<Awaited<ReturnType<typeof resolveAddresses>>>([]);

  const enrol = async (form: FormData) => {
    const { signal } = abort.current;
    const hosts = await resolveAddresses(api, parseAddresses(String(form.get('addresses') ?? '')), { signal });
    setResolved(hosts.filter(({ text, address }) => text !== address));
    const addresses = [...new Set(hosts.map(({ address }) => address))];
    const body = await toEnrolBody(form);
    // The user closed the dialog while names were resolved.
    signal.throwIfAborted();
    const [first] = addresses;
    if (first !== undefined && addresses.length === 1) {
      // For a single host the form shows field errors.
      await api.putHost({ address: first, body });
      start().onProgress({ total: 1, done: 1, rejected: [], notAttempted: [], isFinished: true });
      return;
    }
    await enrolHosts(api, addresses, body, start());
  };
  const close = () => (isRunning ? stop() : onClose());

  return (
    <Dialog title="Enrol hosts" onClose={close}>
      <div hidden={progress !== undefined}>
        <EnrolHostsForm onEnrol={enrol} onClose={close} />
      </div>
      {progress && (
        <>
          <BulkProgressView progress={progress} />
          {resolved.length > 0 && (
            <ul aria-label="Resolved names" className={styles.resolved}>
              {resolved.map(({ text, address }) => (
                <li key={text}>
                  {text} is <span className="mono">{address}</span>
                </li>
              ))}
            </ul>
          )}
          {progress.isFinished && progress.done > 0 && (
            <p className="muted">
              Hostler is bootstrapping the hosts. Follow their status in the <Link to="/hosts">list of hosts</Link>.
            </p>
          )}
          <DialogActions>
            {isRunning && <Button onClick={close}>Stop</Button>}
            {!isRunning && progress.done < progress.total && (
              <Button onClick={reset}>Edit and retry {formatCount(progress.total, 'host')}</Button>
            )}
            {!isRunning && (
              <Button variant="primary" onClick={close}>
                Close
              </Button>
            )}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
