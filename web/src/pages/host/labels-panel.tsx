import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Labels } from '../../fleet/labels.ts';
import { labelLines, labelTexts, readLabelLines } from '../../fleet/labels.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/forms/field.tsx';
import type { FieldAt } from '../../ui/forms/field-errors.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Panel } from '../../ui/page.tsx';
import { RowLink } from '../../ui/tables/row-link.tsx';
import styles from './host.module.css';

interface LabelsProps {
  readonly address: string;
  readonly labels: Labels;
}

/** All that is wrong is wrong with one of the labels, or with their number. */
const labelAt: FieldAt = key => ({ name: 'labels', entry: key });

const LabelsDialog = ({ address, labels, onClose }: LabelsProps & { readonly onClose: () => void }) => (
  <FormDialog
    title={`Edit labels of ${address}`}
    verb="Save labels"
    ask={typed => api.putHostLabels({ address, body: { ...readLabelLines(String(typed.get('labels'))) } })}
    onClose={onClose}
    fields={labelAt}
  >
    {errors => (
      <TextArea
        label="Labels"
        name="labels"
        rows={8}
        autoFocus
        defaultValue={labelLines(labels)}
        hint="One key=value per line. Labels that are not listed are removed."
        error={errors['labels']}
      />
    )}
  </FormDialog>
);

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
      {texts.length === 0 && <p className="soft">No labels.</p>}
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
