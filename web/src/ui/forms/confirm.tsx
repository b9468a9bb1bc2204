import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { ProblemBox } from '../problem-box.tsx';
import { useAsk } from './use-ask.ts';

interface ConfirmProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What the button says: a verb, never "OK". */
  readonly verb: string;
  /** The button that does nothing. */
  readonly dismiss?: string;
  readonly isDangerous?: boolean;
  readonly ask: () => Promise<unknown>;
  readonly children?: ReactNode;
}

/** Asks once more, does it, and stays open with the reason when that is refused. */
export function Confirm({
  title,
  isOpen,
  onClose,
  verb,
  dismiss = 'Cancel',
  isDangerous = false,
  ask,
  children,
}: ConfirmProps) {
  const { run, isBusy, problem, forget } = useAsk(ask, close);
  function close() {
    forget();
    onClose();
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      {children}
      <ProblemBox problem={problem} />
      <DialogActions>
        <Button onClick={close}>{dismiss}</Button>
        <Button kind={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={() => run()}>
          {verb}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
