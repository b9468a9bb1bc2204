import { useState } from 'react';
import { useAccount } from '../../auth/session.tsx';
import { Callout } from '../../ui/callout.tsx';
import { capitalize } from '../../ui/format/text.ts';
import { FieldGroup, RadioCards, TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { optionFields, rebaseValues, toOptions, toOptionValues } from '../../ui/forms/option-fields.ts';
import { SchemaForm } from '../../ui/forms/schema-form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { RecordWithEtag } from './queries.ts';
import { fetchForEdit, isHiddenUntilConfirmed, useDrivers } from './queries.ts';
import type { RecordKind } from './record-kinds.ts';

interface RecordDialogProps {
  readonly kind: RecordKind;
  /** The record to edit. If omitted, the dialog creates a record. */
  readonly record?: RecordWithEtag;
  readonly onClose: () => void;
  readonly onDone?: (name: string) => void;
}

export function RecordDialog({ kind, record: initial, onClose, onDone }: RecordDialogProps) {
  // The record when the dialog opened. It must not change when events refetch the record.
  const [record, setRecord] = useState(initial);
  const { role } = useAccount();
  const drivers = useDrivers(kind) ?? [];
  const [name, setName] = useState(record?.name ?? '');
  const [selectedType, setSelectedType] = useState(record?.type ?? '');
  const findDriver = (driverType: string) => drivers.find(({ type }) => type === driverType) ?? drivers[0];
  const getFields = (driverType: string) => optionFields(findDriver(driverType)?.options ?? {});
  const driver = findDriver(selectedType);
  const fields = getFields(selectedType);
  const [values, setValues] = useState(() => toOptionValues(fields, record?.options ?? {}));

  const save = async () => {
    const { status } = await kind.put({
      name,
      body: { type: driver?.type ?? '', options: toOptions(fields, values, record?.options) },
      ...(record && { headers: { 'if-match': record.etag } }),
    });
    showToast(
      `${capitalize(kind.label)} ${name} ${status === 201 ? 'created' : record ? 'saved' : 'already exists with these settings'}`,
    );
  };
  const reload = async (previous: RecordWithEtag) => {
    const current = await fetchForEdit(kind, name, role);
    setValues(rebaseValues(getFields(current.type), values, { previous: previous.options, current: current.options }));
    setSelectedType(current.type);
    setRecord(current);
  };

  const selectType = (type: string) => {
    setSelectedType(type);
    setValues({});
  };

  return (
    <FormDialog
      title={record ? `Edit ${record.name}` : `Create ${kind.label}`}
      size="wide"
      submitLabel={record ? `Save ${record.name}` : `Create ${kind.label}`}
      onSubmit={save}
      onClose={onClose}
      onDone={() => {
        onClose();
        onDone?.(name);
      }}
      fields={['name', ...fields.map(field => field.name)]}
      pathPrefix="/options"
      edited={record && { subject: `${kind.label} ${name}`, reload: () => reload(record) }}
    >
      {record === undefined && (
        <>
          <TextField
            label="Name"
            name="name"
            value={name}
            onChange={({ target }) => setName(target.value)}
            hint="Clusters refer to this name. It cannot be changed later."
            required
            autoFocus
          />
          <FieldGroup legend="Type">
            <RadioCards
              options={drivers.map(({ type, summary }) => ({
                value: type,
                title: <code>{type}</code>,
                description: summary,
              }))}
              selected={driver?.type ?? ''}
              onSelect={selectType}
            />
          </FieldGroup>
        </>
      )}
      {record && isHiddenUntilConfirmed(record, role) && (
        <Callout severity="warn">
          <p>
            Secret options are hidden because you did not confirm your password. To save, enter each secret again. To
            keep the secrets, close this form, choose Edit again and confirm your password.
          </p>
        </Callout>
      )}
      <SchemaForm fields={fields} values={values} onChange={setValues} {...(record && { before: record.options })} />
    </FormDialog>
  );
}
