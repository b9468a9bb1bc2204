import { useState } from 'react';
import { isChangedElsewhere } from '../../api/refusals.ts';
import { useMe } from '../../session/session.tsx';
import { Callout } from '../../ui/callout.tsx';
import { ChangedElsewhere } from '../../ui/forms/changed-elsewhere.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { notice } from '../../ui/notices.tsx';
import { optionsFrom, rebased, typedFrom } from '../../ui/schema-form/form-options.ts';
import { optionFields } from '../../ui/schema-form/option-fields.ts';
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx';
import { begun } from '../../ui/words/sentence.ts';
import { ChooseDriver } from './choose-driver.tsx';
import type { Kind } from './kinds.ts';
import type { ReadRecord } from './use-record.ts';
import { isHiddenUntilConfirmed, readForEdit, useDrivers } from './use-record.ts';

interface RecordDialogProps {
  readonly kind: Kind;
  /** The one that is changed; left out: a new one is made. */
  readonly record?: ReadRecord;
  readonly onClose: () => void;
  readonly onDone?: (name: string) => void;
}

/** Makes a record, or changes the one that was read: if somebody was faster, that is refused. */
export function RecordDialog({ kind, record: given, onClose, onDone }: RecordDialogProps) {
  // What was read when the form was opened: it stays while events have the record read anew.
  const [record, setRecord] = useState(given);
  const { role } = useMe();
  const drivers = useDrivers(kind) ?? [];
  const [name, setName] = useState(record?.name ?? '');
  const [chosen, setChosen] = useState(record?.type ?? '');
  const driverOf = (wanted: string) => drivers.find(({ type }) => type === wanted) ?? drivers[0];
  const fieldsOf = (wanted: string) => optionFields(driverOf(wanted)?.options ?? {});
  const driver = driverOf(chosen);
  const fields = fieldsOf(chosen);
  const [typed, setTyped] = useState(() => typedFrom(fields, record?.options ?? {}));

  const put = async () => {
    const { status } = await kind.put({
      name,
      body: { type: driver?.type ?? '', options: optionsFrom(fields, typed, record?.options) },
      ...(record && { headers: { 'if-match': record.etag } }),
    });
    notice(
      `${begun(kind.word)} ${name} ${status === 201 ? 'created' : record ? 'saved' : 'already exists with these settings'}`,
    );
  };
  const readAnew = async (before: ReadRecord) => {
    const now = await readForEdit(kind, name, role);
    setTyped(rebased(fieldsOf(now.type), typed, { before: before.options, now: now.options }));
    setChosen(now.type);
    setRecord(now);
  };

  const choose = (type: string) => {
    setChosen(type);
    setTyped({});
  };

  return (
    <FormDialog
      title={record ? `Edit ${record.name}` : `Create ${kind.word}`}
      size="wide"
      verb={record ? `Save ${record.name}` : `Create ${kind.word}`}
      ask={put}
      onClose={onClose}
      onDone={() => {
        onClose();
        onDone?.(name);
      }}
      fields={['name', ...fields.map(field => field.name)]}
      within="/options"
      onRefused={(problem, forget) =>
        record && isChangedElsewhere(problem) ? (
          <ChangedElsewhere what={`${kind.word} ${name}`} readAnew={() => readAnew(record).then(forget)} />
        ) : undefined
      }
    >
      {errors => (
        <>
          {record === undefined && (
            <>
              <TextField
                label="Name"
                value={name}
                onChange={({ target }) => setName(target.value)}
                hint="Clusters refer to this name. It cannot be changed later."
                error={errors['name']}
                required
                autoFocus
              />
              <ChooseDriver drivers={drivers} chosen={driver?.type ?? ''} onChoose={choose} />
            </>
          )}
          {record && isHiddenUntilConfirmed(record, role) && (
            <Callout tone="warn">
              <p>
                Secret options are hidden because you did not confirm your password. To save, enter each
                secret again. To keep the secrets, close this form, choose Edit again and confirm your
                password.
              </p>
            </Callout>
          )}
          <SchemaForm
            fields={fields}
            typed={typed}
            onChange={setTyped}
            errors={errors}
            {...(record && { before: record.options })}
          />
        </>
      )}
    </FormDialog>
  );
}
