import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Callout, ErrorBox } from '../callout.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import type { FieldResolver } from './field-errors.ts';
import { mapFieldErrors } from './field-errors.ts';
import { Form, useAction } from './form.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly size?: 'medium' | 'wide';
  /** Label of the submit button: a verb, never "OK". */
  readonly submitLabel: string;
  readonly isDestructive?: boolean;
  /** Reason why the form cannot be submitted yet. */
  readonly disabledReason?: string | undefined;
  readonly onSubmit: (formData: FormData) => Promise<unknown>;
  /** Defaults to `onClose`. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** Field names of the API. Their errors are passed to `children`. */
  readonly fields?: readonly string[] | FieldResolver;
  /** JSON pointer of fields that are nested in the body, such as `/options`. */
  readonly pathPrefix?: string;
  /** Replaces the error message, unless it returns undefined. `reset` clears the error. */
  readonly renderError?: (error: unknown, reset: () => void) => ReactNode | undefined;
  /** `errors`: error text by field name. */
  readonly children: (errors: Readonly<Record<string, string>>) => ReactNode;
}

/**
 * A form in a dialog. It closes on success and keeps its values on an error. Mount it only while it is open.
 */
export function FormDialog({
  title,
  size = 'medium',
  submitLabel,
  isDestructive = false,
  disabledReason,
  onSubmit,
  onClose,
  onDone = onClose,
  fields = [],
  pathPrefix,
  renderError,
  children,
}: FormDialogProps) {
  const { run, isLoading, error, reset } = useAction(onSubmit, onDone);
  const errors = mapFieldErrors(error, fields, pathPrefix);
  const customError = error && renderError?.(error, reset);
  const submit = (formData: FormData) => {
    if (disabledReason === undefined) run(formData);
  };
  return (
    <Dialog title={title} size={size} isOpen onClose={onClose}>
      <Form onSubmit={submit} isLoading={isLoading} error={error}>
        <ErrorBox error={errors.summary} />
        {children(errors.byField)}
        {customError ?? <ErrorBox error={errors.formError} />}
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
      </Form>
    </Dialog>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A verb, never "OK". */
  readonly confirmLabel: string;
  readonly cancelLabel?: string;
  readonly isDestructive?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly children?: ReactNode;
}

/** Stays open and shows the error if the action fails. */
export function ConfirmDialog({
  title,
  isOpen,
  onClose,
  confirmLabel,
  cancelLabel = 'Cancel',
  isDestructive = false,
  onConfirm,
  children,
}: ConfirmDialogProps) {
  const { run, isLoading, error, reset } = useAction(onConfirm, close);
  function close() {
    reset();
    onClose();
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
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

interface EditConflictProps {
  /** For example `the network a`. */
  readonly subject: string;
  readonly onReload: () => Promise<unknown>;
}

/** Shown when another user changed the record. The form keeps the edited values. */
export function EditConflict({ subject, onReload }: EditConflictProps) {
  const { run, isLoading, error } = useAction(onReload);
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
