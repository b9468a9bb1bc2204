import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

interface DisclosureProps {
  readonly summary: ReactNode;
  /** What is told at the end of the line while it is closed, too. */
  readonly aside?: ReactNode;
  readonly variant?: 'plain' | 'card';
  /** At first; then it is as whoever looks leaves it. */
  readonly startsOpen?: boolean;
  readonly children: ReactNode;
}

/** What not everybody wants to see: the browser's own. */
export const Disclosure = ({
  summary,
  aside,
  variant = 'plain',
  startsOpen = false,
  children,
}: DisclosureProps) => (
  <details className={styles[variant]} open={startsOpen}>
    <summary>
      <span>{summary}</span>
      {aside !== undefined && <span className={`${styles.aside} muted`}>{aside}</span>}
    </summary>
    <div className={styles.body}>{children}</div>
  </details>
);
