import { useSyncExternalStore } from 'react';
import styles from './toasts.module.css';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const VISIBLE_MS = 6000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** For confirmations. Errors are shown where the action was started, and stay visible. */
export function showToast(text: string): void {
  lastId += 1;
  const id = lastId;
  setToasts([...toasts, { id, text }]);
  setTimeout(() => setToasts(toasts.filter(toast => toast.id !== id)), VISIBLE_MS);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function ToastRegion() {
  const visible = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {visible.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
