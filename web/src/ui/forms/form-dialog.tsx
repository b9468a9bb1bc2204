import type { ReactNode } from 'react';
import { useState } from 'react';
import { ApiError } from '#sdk/errors.ts';
import type { ButtonProps } from '../button.tsx';
import { Button } from '../button.tsx';
import { Callout, ErrorBox } from '../callout.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import type { FormProps } from './form.tsx';
import { Form, useAction } from './form.tsx';

interface DialogButtonProps extends ButtonProps {
  readonly dialog: (close: () => void) => ReactNode;
}

export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

interface EditedRecord {
  readonly subject: string;
  /** Loads the current values into the form. Fields that the user edited keep their values. */
  readonly reload: () => Promise<unknown>;
}

/** Shown when another user changed the record. */
function EditConflict({ subject, reload, onReloaded }: EditedRecord & { readonly onReloaded: () => void }) {
  const { run, isLoading, error } = useAction(reload, onReloaded);
  return (
    <>
      <Callout severity="warn" role="alert">
        <p>
          Someone else changed {subject} while you were editing, so your changes were not saved. Reload the current
          values, review them and save again. The fields that you edited keep your values.
        </p>
        <div>
          <Button size="small" isLoading={isLoading} onClick={() => run()}>
            Reload
          </Button>
        </div>
      </Callout>
      <ErrorBox error={error} />
    </>
  );
}

interface FormDialogProps extends Pick<FormProps, 'fields' | 'pathPrefix' | 'clientErrors' | 'intro'> {
  readonly title: string;
  readonly size?: 'medium' | 'wide';
  /** Label of the submit button: a verb, never "OK". */
  readonly submitLabel: string;
  readonly isDestructive?: boolean;
  readonly disabledReason?: string | undefined;
  readonly onSubmit: (formData: FormData) => Promise<unknown>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** A record that another user can change while the form is open. */
  readonly edited?: EditedRecord | undefined;
  readonly children: ReactNode;
}

/** Closes on success and keeps its values on an error. Mount it only while it is open. */
export function FormDialog(props: FormDialogProps) {
  const { title, size = 'medium', submitLabel, isDestructive = false, disabledReason, edited, ...rest } = props;
  const { onSubmit, onClose, onDone = onClose, ...form } = rest;
  const { run, isLoading, error, reset } = useAction(onSubmit, onDone);
  const isConflict = error instanceof ApiError && error.problem.code === 'precondition_failed';
  const submit = (formData: FormData) => {
    if (disabledReason === undefined) run(formData);
  };
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <Form
        {...form}
        onSubmit={submit}
        isLoading={isLoading}
        error={error}
        errorView={edited && isConflict && <EditConflict {...edited} onReloaded={reset} />}
        actions={
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant={isDestructive ? 'danger' : 'primary'}
              type="submit"
              isLoading={isLoading}
              disabledReason={disabledReason}
            >
              {submitLabel}
            </Button>
          </DialogActions>
        }
      />
    </Dialog>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly confirmLabel: string;
  readonly cancelLabel?: string;
  readonly isDestructive?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** Stays open and shows the error if the action fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, isOpen, onClose, confirmLabel, cancelLabel = 'Cancel', isDestructive, onConfirm, children } = props;
  const { run, isLoading, error, reset } = useAction(onConfirm, close);
  function close() {
    reset();
    onClose();
  }
  if (!isOpen) return null;
  return (
    <Dialog title={title} onClose={close}>
      {children}
      <ErrorBox error={error} />
      <DialogActions>
        <Button onClick={close}>{cancelLabel}</Button>
        <Button variant={isDestructive ? 'danger' : 'primary'} isLoading={isLoading} onClick={() => run()}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ConfirmButtonProps extends Omit<ConfirmDialogProps, 'isOpen' | 'onClose'> {
  readonly button: ButtonProps;
}

export function ConfirmButton({ button, ...dialog }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      <ConfirmDialog {...dialog} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
