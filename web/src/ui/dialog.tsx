import type { ReactNode } from 'react';
import { useId, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  /** If omitted, the user cannot close the dialog. */
  readonly onClose?: () => void;
  readonly size?: 'medium' | 'search' | 'wide';
  readonly children: ReactNode;
}

/** Focuses the first empty required field. By default the browser would focus the close button. */
function focusFirst(dialog: HTMLDialogElement): void {
  const fields = [...dialog.querySelectorAll<HTMLInputElement>('input:not([hidden]), select, textarea')];
  (fields.find(({ required, value }) => required && value === '') ?? fields[0])?.focus();
}

/**
 * Uses the native dialog, which traps the focus, closes on Escape and restores the focus. Mount it only while it is
 * open.
 */
export function Dialog({ title, onClose, size = 'medium', children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null) return undefined;
    dialog.showModal();
    focusFirst(dialog);
    // Without this the browser does not restore the focus.
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // Browsers close a dialog on a second Escape even if the first was prevented. A dialog that cannot be closed is
        // shown again.
        if (element.current?.open) return;
        if (onClose) onClose();
        else element.current?.showModal();
      }}
    >
      <header className={styles.header}>
        <h2 id={titleId}>{title}</h2>
        {onClose && (
          <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
            ✕
          </button>
        )}
      </header>
      <div className={styles.body}>{children}</div>
    </dialog>
  );
}

export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
