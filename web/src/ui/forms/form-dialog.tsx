import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { ProblemBox } from '../problem-box.tsx';
import type { FieldAt } from './field-errors.ts';
import { fieldErrors } from './field-errors.ts';
import { Form } from './form.tsx';
import { useAsk } from './use-ask.ts';

interface FormDialogProps {
  readonly title: string;
  readonly size?: 'usual' | 'wide';
  /** What the button says: a verb, never "OK". */
  readonly verb: string;
  readonly isDangerous?: boolean;
  /** What is to be typed before it can be sent. */
  readonly whyNot?: string | undefined;
  /** With what stands in the fields that have a name. */
  readonly ask: (typed: FormData) => Promise<unknown>;
  /** Left out: it closes. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** The fields, as the service calls them: what is wrong with one is told beside it. */
  readonly fields?: readonly string[] | FieldAt;
  /** Where those stand that are no fields of the body itself, such as `/options`. */
  readonly within?: string;
  /** What to say in the place of a refusal; `undefined`: its own words. `forget` takes the refusal away. */
  readonly onRefused?: (problem: unknown, forget: () => void) => ReactNode | undefined;
  /** With what is wrong, by the name of the field. */
  readonly children: (errors: Readonly<Record<string, string>>) => ReactNode;
}

/** A form in a dialog, which is there while it is open: it asks, closes, and stays with what was typed and the reason when that is refused. */
export function FormDialog({
  title,
  size = 'usual',
  verb,
  isDangerous = false,
  whyNot,
  ask,
  onClose,
  onDone = onClose,
  fields = [],
  within,
  onRefused,
  children,
}: FormDialogProps) {
  const { run, isBusy, problem, forget } = useAsk(ask, onDone);
  const errors = fieldErrors(problem, fields, within);
  const refused = problem && onRefused?.(problem, forget);
  const submit = (typed: FormData) => {
    if (whyNot === undefined) run(typed);
  };
  return (
    <Dialog title={title} size={size} isOpen onClose={onClose}>
      <Form onSubmit={submit} isBusy={isBusy} problem={problem}>
        <ProblemBox problem={errors.summary} />
        {children(errors.of)}
        {refused ?? <ProblemBox problem={errors.rest} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={isDangerous ? 'danger' : 'primary'} type="submit" isBusy={isBusy} whyNot={whyNot}>
            {verb}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
