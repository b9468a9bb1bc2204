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
  /** What the button says: a verb, never "OK". */
  readonly submitLabel: string;
  readonly isDestructive?: boolean;
  /** What is to be typed before it can be sent. */
  readonly disabledReason?: string | undefined;
  /** With what stands in the fields that have a name. */
  readonly onSubmit: (formData: FormData) => Promise<unknown>;
  /** Left out: it closes. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** The fields, as the service calls them: what is wrong with one is told beside it. */
  readonly fields?: readonly string[] | FieldResolver;
  /** Where those stand that are no fields of the body itself, such as `/options`. */
  readonly pathPrefix?: string;
  /** What to say in the place of a refusal; `undefined`: its own words. `forget` takes the refusal away. */
  readonly renderError?: (error: unknown, reset: () => void) => ReactNode | undefined;
  /** With what is wrong, by the name of the field. */
  readonly children: (errors: Readonly<Record<string, string>>) => ReactNode;
}

/** A form in a dialog, which is there while it is open: it asks, closes, and stays with what was typed and the reason when that is refused. */
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
  /** What the button says: a verb, never "OK". */
  readonly confirmLabel: string;
  /** The button that does nothing. */
  readonly cancelLabel?: string;
  readonly isDestructive?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly children?: ReactNode;
}

/** Asks once more, does it, and stays open with the reason when that is refused. */
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
  /** What was changed: `the network a`. */
  readonly subject: string;
  readonly onReload: () => Promise<unknown>;
}

/** What is changed here was changed by somebody else meanwhile. What was typed stays where it was typed. */
export function EditConflict({ subject, onReload }: EditConflictProps) {
  const { run, isLoading, error } = useAction(onReload);
  return (
    <>
      <Callout severity="warn" role="alert">
        <p>
          Someone else changed {subject} while you were editing, so your changes were not saved. Reload the
          current values, review them and save again. The fields that you edited keep your values.
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
