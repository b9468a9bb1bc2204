import { useSyncExternalStore } from 'react';
import styles from './notices.module.css';

interface Notice {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 6000;

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** Says for a moment that something was done. What went wrong is told where it was asked for, and stays. */
export function notice(text: string): void {
  lastId += 1;
  const id = lastId;
  change([...notices, { id, text }]);
  setTimeout(() => change(notices.filter(each => each.id !== id)), SHOWN_MS);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div className={styles.notices} role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
