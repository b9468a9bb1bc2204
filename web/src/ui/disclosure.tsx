import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

interface DisclosureProps {
  readonly summary: ReactNode;
  /** Shown at the end of the line, also while closed. */
  readonly aside?: ReactNode;
  readonly variant?: 'plain' | 'card';
  readonly startsOpen?: boolean;
  readonly children: ReactNode;
}

export const Disclosure = ({ summary, aside, variant = 'plain', startsOpen = false, children }: DisclosureProps) => (
  <details className={styles[variant]} open={startsOpen}>
    <summary>
      <span>{summary}</span>
      {aside !== undefined && <span className={`${styles.aside} muted`}>{aside}</span>}
    </summary>
    <div className={styles.body}>{children}</div>
  </details>
);
