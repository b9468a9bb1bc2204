import type { FormEvent, ReactNode } from 'react';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { readLabelLines } from '../../fleet/labels.ts';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { CheckField, TextArea, TextField } from '../../ui/forms/field.tsx';
import { counted } from '../../ui/words/counted.ts';
import { someOf } from '../../ui/words/some-of.ts';
import type { BulkKind, BulkWish } from './bulk-actions.ts';
import styles from './bulk-form.module.css';

interface BulkFormProps {
  readonly kind: BulkKind;
  readonly addresses: readonly string[];
  readonly onWish: (wish: BulkWish) => void;
  readonly onClose: () => void;
}

interface Form {
  readonly verb: (hosts: string) => string;
  readonly fields: ReactNode;
  readonly wishOf: (text: (name: string) => string) => BulkWish;
}

const FORMS: Readonly<Record<BulkKind, Form>> = {
  maintenance: {
    verb: hosts => `Set maintenance for ${hosts}`,
    fields: (
      <>
        <CheckField
          label="In maintenance"
          name="on"
          defaultChecked
          hint="On: no operation changes the hosts, they raise no alerts, and they count as unavailable. Off: the hosts return to service."
        />
        <TextField
          label="Reason"
          name="reason"
          hint="Optional. Shown to other users while maintenance is on."
        />
      </>
    ),
    wishOf: text => ({ kind: 'maintenance', isOn: text('on') === 'on', reason: text('reason') }),
  },
  labels: {
    verb: hosts => `Edit labels of ${hosts}`,
    fields: (
      <>
        <TextArea
          label="Add or update"
          name="added"
          rows={3}
          hint="One key=value per line. Other labels are kept."
        />
        <TextField label="Remove" name="removed" hint="Comma-separated keys." />
      </>
    ),
    wishOf: text => ({
      kind: 'labels',
      added: readLabelLines(text('added')),
      removed: Object.keys(readLabelLines(text('removed'))),
    }),
  },
  join: {
    verb: hosts => `Add ${hosts} to the cluster`,
    fields: <ClusterSelect label="Cluster" name="cluster" none="Select a cluster" required />,
    wishOf: text => ({ kind: 'join', cluster: text('cluster') }),
  },
  leave: {
    verb: hosts => `Remove ${hosts} from their cluster`,
    fields: <p>Each host leaves its cluster. The host stays enrolled, and health checks continue.</p>,
    wishOf: () => ({ kind: 'leave' }),
  },
  bootstrap: {
    verb: hosts => `Retry bootstrap of ${hosts}`,
    fields: <p>Hostler reads the facts of each host and bootstraps it again, in any status.</p>,
    wishOf: () => ({ kind: 'bootstrap' }),
  },
  remove: {
    verb: hosts => `Remove ${hosts}`,
    fields: (
      <p>
        This removes the hosts’ records, cluster memberships and credentials from Hostler. The hosts
        themselves do not change. To undo their network and container manager setup, cancel and remove them
        from their cluster first.
      </p>
    ),
    wishOf: () => ({ kind: 'remove' }),
  },
};

const MOST_NAMED = 50;

/** What is to be known before something is asked for many hosts. */
export function BulkForm({ kind, addresses, onWish, onClose }: BulkFormProps) {
  const { verb, fields, wishOf } = FORMS[kind];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    onWish(wishOf(name => String(given.get(name) ?? '')));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {fields}
      <p className={styles.names}>{someOf(addresses, MOST_NAMED)}</p>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={kind === 'remove' ? 'danger' : 'primary'} type="submit">
          {verb(counted(addresses.length, 'host'))}
        </Button>
      </DialogActions>
    </form>
  );
}
