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
    verb: hosts => `Set maintenance of ${hosts}`,
    fields: (
      <>
        <CheckField
          label="In maintenance"
          name="on"
          defaultChecked
          hint="They count as unavailable in their clusters, and no operation touches them. Off: they are back in service."
        />
        <TextField label="Reason" name="reason" hint="Why, for people. Only when it begins." />
      </>
    ),
    wishOf: text => ({ kind: 'maintenance', isOn: text('on') === 'on', reason: text('reason') }),
  },
  labels: {
    verb: hosts => `Label ${hosts}`,
    fields: (
      <>
        <TextArea
          label="Add or change"
          name="added"
          rows={3}
          hint="key=value, one in each line. Others stay."
        />
        <TextField label="Take away" name="removed" hint="Keys, with commas in between." />
      </>
    ),
    wishOf: text => ({
      kind: 'labels',
      added: readLabelLines(text('added')),
      removed: Object.keys(readLabelLines(text('removed'))),
    }),
  },
  join: {
    verb: hosts => `Put ${hosts} into the cluster`,
    fields: <ClusterSelect label="Cluster" name="cluster" none="Select one" required />,
    wishOf: text => ({ kind: 'join', cluster: text('cluster') }),
  },
  leave: {
    verb: hosts => `Take ${hosts} out`,
    fields: <p>Each leaves the cluster that it is in. It stays as a host, and is watched.</p>,
    wishOf: () => ({ kind: 'leave' }),
  },
  bootstrap: {
    verb: hosts => `Bootstrap ${hosts} again`,
    fields: <p>They are investigated and made ready again, in whatever status they are.</p>,
    wishOf: () => ({ kind: 'bootstrap' }),
  },
  remove: {
    verb: hosts => `Remove ${hosts}`,
    fields: (
      <p>
        Their records, memberships and credentials are gone then. On the hosts themselves nothing is undone:
        take them out of their clusters first if they are to undo what brought them in.
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
        <Button onClick={onClose}>Leave it</Button>
        <Button kind={kind === 'remove' ? 'danger' : 'primary'} type="submit">
          {verb(counted(addresses.length, 'host'))}
        </Button>
      </DialogActions>
    </form>
  );
}
