import { useState } from 'react';
import { useMe } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { Form } from '../../ui/form.tsx';
import { notice } from '../../ui/notices.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { optionsFrom, typedFrom } from '../../ui/schema-form/form-options.ts';
import { optionFields } from '../../ui/schema-form/option-fields.ts';
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx';
import { useAsk } from '../../ui/use-ask.ts';
import { ChooseDriver } from './choose-driver.tsx';
import type { Kind } from './kinds.ts';
import type { ReadRecord } from './use-record.ts';
import { useDrivers } from './use-record.ts';

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
  const [record] = useState(given);
  const { role } = useMe();
  const drivers = useDrivers(kind) ?? [];
  const [name, setName] = useState(record?.name ?? '');
  const [chosen, setChosen] = useState(record?.type ?? '');
  const driver = drivers.find(({ type }) => type === chosen) ?? drivers[0];
  const fields = driver ? optionFields(driver.options) : [];
  const [typed, setTyped] = useState(() => typedFrom(fields, record?.options ?? {}));

  const put = async () => {
    const { status } = await kind.put({
      name,
      body: { type: driver?.type ?? '', options: optionsFrom(fields, typed, record?.options) },
      ...(record && { headers: { 'if-match': record.etag } }),
    });
    notice(
      `The ${kind.word} ${name} ${status === 201 ? 'is added' : record ? 'is changed' : 'was there already, as you want it'}.`,
    );
  };
  const { run, isBusy, problem } = useAsk(put, () => {
    onClose();
    onDone?.(name);
  });
  const errors = fieldErrors(problem, ['name', ...fields.map(field => field.name)], '/options');

  const choose = (type: string) => {
    setChosen(type);
    setTyped({});
  };

  return (
    <Dialog
      title={record ? `Edit ${record.name}` : `Add a ${kind.word}`}
      size="wide"
      isOpen
      onClose={onClose}
    >
      <Form onSubmit={run} isBusy={isBusy} problem={problem}>
        {record === undefined && (
          <>
            <TextField
              label="Name"
              value={name}
              onChange={({ target }) => setName(target.value)}
              hint="Clusters name it so. It cannot be changed later."
              error={errors.of['name']}
              required
              autoFocus
            />
            <ChooseDriver drivers={drivers} chosen={driver?.type ?? ''} onChoose={choose} />
          </>
        )}
        <SchemaForm
          fields={fields}
          typed={typed}
          onChange={setTyped}
          errors={errors.of}
          {...(record && { before: record.options })}
          canKeepSecrets={role === 'admin'}
        />
        <ProblemBox problem={errors.rest} />
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {record ? `Save ${record.name}` : `Add the ${kind.word}`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
