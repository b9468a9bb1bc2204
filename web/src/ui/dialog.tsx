import type { ReactNode } from 'react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Left out: it cannot be left. */
  readonly onClose?: () => void;
  readonly size?: 'medium' | 'wide';
  readonly children: ReactNode;
}

/** Where one types first: the browser would begin with the button that closes. */
function focusFirst(dialog: HTMLDialogElement): void {
  const fields = [...dialog.querySelectorAll<HTMLInputElement>('input:not([hidden]), select, textarea')];
  (fields.find(({ required, value }) => required && value === '') ?? fields[0])?.focus();
}

/** The browser's own: it keeps the focus inside, closes by Escape and gives the focus back. */
export function Dialog({ title, isOpen, onClose, size = 'medium', children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (isOpen && element.current?.open === false) {
      element.current.showModal();
      focusFirst(element.current);
    }
    if (!isOpen) element.current?.close();
  }, [isOpen]);
  // One that is taken away while it is open has to be closed, or the focus is given back to nobody.
  useLayoutEffect(() => {
    const dialog = element.current;
    return () => dialog?.close();
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
        // Browsers close by a second Escape whatever is said; what cannot be left is shown again.
        if (!isOpen || element.current?.open) return;
        if (onClose) onClose();
        else element.current?.showModal();
      }}
    >
      {isOpen && (
        <>
          <header className={styles.header}>
            <h2 id={titleId}>{title}</h2>
            {onClose && (
              <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
                ✕
              </button>
            )}
          </header>
          <div className={styles.body}>{children}</div>
        </>
      )}
    </dialog>
  );
}

/** What can be done in a dialog, at its end. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
