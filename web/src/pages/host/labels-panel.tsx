import { useState } from 'react';
import { api } from '../../api/client.ts';
import { usePermissions } from '../../auth/session.tsx';
import type { Labels } from '../../hosts/labels.ts';
import { formatLabelLines, formatLabels, parseLabelLines } from '../../hosts/labels.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/forms/field.tsx';
import type { FieldResolver } from '../../ui/forms/field-errors.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Panel } from '../../ui/page.tsx';
import { RowLink } from '../../ui/tables/virtual-table.tsx';
import styles from './host.module.css';

interface LabelsProps {
  readonly address: string;
  readonly labels: Labels;
}

/** Every error concerns one label or the number of labels. */
const resolveLabelField: FieldResolver = key => ({ name: 'labels', entry: key });

const LabelsDialog = ({ address, labels, onClose }: LabelsProps & { readonly onClose: () => void }) => (
  <FormDialog
    title={`Edit labels of ${address}`}
    submitLabel="Save labels"
    onSubmit={formData => api.putHostLabels({ address, body: { ...parseLabelLines(String(formData.get('labels'))) } })}
    onClose={onClose}
    fields={resolveLabelField}
  >
    <TextArea
      label="Labels"
      name="labels"
      rows={8}
      autoFocus
      defaultValue={formatLabelLines(labels)}
      hint="One key=value per line. Labels that are not listed are removed."
    />
  </FormDialog>
);

export function LabelsPanel({ address, labels }: LabelsProps) {
  const { can } = usePermissions();
  const [isEditing, setEditing] = useState(false);
  const texts = formatLabels(labels);
  return (
    <Panel
      title="Labels"
      actions={
        can('putHostLabels') && (
          <Button size="small" onClick={() => setEditing(true)}>
            Edit labels
          </Button>
        )
      }
    >
      {texts.length === 0 && <p className="muted">No labels.</p>}
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
