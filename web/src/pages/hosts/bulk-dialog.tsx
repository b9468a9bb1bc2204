import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { BulkProgressView, useBulkRun } from '../../hosts/bulk-progress.tsx';
import { parseLabelLines } from '../../hosts/labels.ts';
import { runBulk, unfinishedAddresses } from '../../hosts/run-bulk.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { formatCount, truncateList } from '../../ui/format/text.ts';
import { CheckField, TextArea, TextField } from '../../ui/forms/field.tsx';
import type { BulkInput, BulkKind } from './bulk-actions.ts';
import { createBulkRequest } from './bulk-actions.ts';
import styles from './bulk-dialog.module.css';

interface BulkFormProps {
  readonly kind: BulkKind;
  readonly addresses: readonly string[];
  readonly onSubmit: (input: BulkInput) => void;
  readonly onClose: () => void;
}

interface BulkFormDefinition {
  readonly title: (hosts: string) => string;
  readonly submitLabel?: (hosts: string) => string;
  readonly fields: ReactNode;
  readonly toInput: (text: (name: string) => string) => BulkInput;
}

const FORMS: Readonly<Record<BulkKind, BulkFormDefinition>> = {
  maintenance: {
    title: hosts => `Set maintenance for ${hosts}`,
    fields: (
      <>
        <CheckField
          label="In maintenance"
          name="on"
          defaultChecked
          hint="On: no operation changes the hosts, they raise no alerts, and they count as unavailable. Off: the hosts return to service."
        />
        <TextField label="Reason" name="reason" hint="Optional. Shown to other users while maintenance is on." />
      </>
    ),
    toInput: text => ({ kind: 'maintenance', isOn: text('on') === 'on', reason: text('reason') }),
  },
  labels: {
    title: hosts => `Edit labels of ${hosts}`,
    fields: (
      <>
        <TextArea label="Add or update" name="added" rows={3} hint="One key=value per line. Other labels are kept." />
        <TextField label="Remove" name="removed" hint="Comma-separated keys." />
      </>
    ),
    toInput: text => ({
      kind: 'labels',
      added: parseLabelLines(text('added')),
      removed: Object.keys(parseLabelLines(text('removed'))),
    }),
  },
  join: {
    title: hosts => `Add ${hosts} to a cluster`,
    submitLabel: hosts => `Add ${hosts} to the cluster`,
    fields: <ClusterSelect label="Cluster" name="cluster" emptyLabel="Select a cluster" required />,
    toInput: text => ({ kind: 'join', cluster: text('cluster') }),
  },
  leave: {
    title: hosts => `Remove ${hosts} from their cluster`,
    fields: <p>Each host leaves its cluster. The host stays enrolled, and health checks continue.</p>,
    toInput: () => ({ kind: 'leave' }),
  },
  bootstrap: {
    title: hosts => `Retry bootstrap of ${hosts}`,
    fields: <p>Hostler reads the facts of each host and bootstraps it again, in any status.</p>,
    toInput: () => ({ kind: 'bootstrap' }),
  },
  remove: {
    title: hosts => `Remove ${hosts}`,
    fields: (
      <p>
        This removes the hosts’ records, cluster memberships and credentials from Hostler. The hosts themselves do not
        change. To undo their network and container manager setup, cancel and remove them from their cluster first.
      </p>
    ),
    toInput: () => ({ kind: 'remove' }),
  },
};

const MAX_LISTED = 50;

function BulkForm({ kind, addresses, onSubmit, onClose }: BulkFormProps) {
  const { title, submitLabel = title, fields, toInput } = FORMS[kind];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    onSubmit(toInput(name => String(formData.get(name) ?? '')));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {fields}
      <p className={styles.names}>{truncateList(addresses, MAX_LISTED)}</p>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant={kind === 'remove' ? 'danger' : 'primary'} type="submit">
          {submitLabel(formatCount(addresses.length, 'host'))}
        </Button>
      </DialogActions>
    </form>
  );
}

interface BulkDialogProps {
  readonly kind: BulkKind;
  readonly addresses: readonly string[];
  readonly getCluster: (address: string) => string;
  readonly onClose: () => void;
}

export function BulkDialog({ kind, addresses, getCluster, onClose }: BulkDialogProps) {
  const { progress, isRunning, start, stop } = useBulkRun();
  const [input, setInput] = useState<BulkInput>();

  const run = (requested: BulkInput, targets: readonly string[]) => {
    setInput(requested);
    runBulk(targets, createBulkRequest(requested, getCluster), start());
  };
  const unfinished = progress?.isFinished ? unfinishedAddresses(progress) : [];

  return (
    <Dialog title={FORMS[kind].title(formatCount(addresses.length, 'host'))} onClose={isRunning ? stop : onClose}>
      {progress === undefined ? (
        <BulkForm
          kind={kind}
          addresses={addresses}
          onSubmit={requested => run(requested, addresses)}
          onClose={onClose}
        />
      ) : (
        <>
          <BulkProgressView progress={progress} />
          <DialogActions>
            {isRunning && <Button onClick={stop}>Stop</Button>}
            {input !== undefined && unfinished.length > 0 && (
              <Button onClick={() => run(input, unfinished)}>Retry {formatCount(unfinished.length, 'host')}</Button>
            )}
            {!isRunning && (
              <Button variant="primary" onClick={onClose}>
                Close
              </Button>
            )}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
