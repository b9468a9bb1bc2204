import type { FormEvent } from 'react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Labels } from '../../fleet/labels.ts';
import { labelLines, labelTexts, readLabelLines } from '../../fleet/labels.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/forms/field.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { RowLink } from '../../ui/tables/row-link.tsx';
import styles from './host.module.css';

interface LabelsProps {
  readonly address: string;
  readonly labels: Labels;
}

function LabelsDialog({ address, labels, onClose }: LabelsProps & { readonly onClose: () => void }) {
  const { run, isBusy, problem } = useAsk(
    (text: string) => api.putHostLabels({ address, body: { ...readLabelLines(text) } }),
    onClose,
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    run(String(new FormData(event.currentTarget).get('labels')));
  };
  return (
    <Dialog title={`Labels of ${address}`} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <TextArea
          label="Labels"
          name="labels"
          rows={8}
          autoFocus
          defaultValue={labelLines(labels)}
          hint="key=value, one in each line. Those that are not here are gone afterwards."
        />
        <ProblemBox problem={problem} />
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Set the labels
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Its labels; each leads to all hosts that have it. */
export function LabelsPanel({ address, labels }: LabelsProps) {
  const { may } = useMay();
  const [isEditing, setEditing] = useState(false);
  const texts = labelTexts(labels);
  return (
    <Panel
      title="Labels"
      actions={
        may('putHostLabels') && (
          <Button size="small" onClick={() => setEditing(true)}>
            Edit labels
          </Button>
        )
      }
    >
      {texts.length === 0 && <p className="soft">It has none.</p>}
      <ul className={styles.row}>
        {texts.map(text => (
          <li key={text} className={styles.label}>
            <RowLink href={`/hosts?label=${encodeURIComponent(text)}`}>{text}</RowLink>
          </li>
        ))}
      </ul>
      {isEditing && <LabelsDialog address={address} labels={labels} onClose={() => setEditing(false)} />}
    </Panel>
  );
}
