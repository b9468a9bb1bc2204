import type { ReactNode } from 'react';
import type { Severity } from '#sdk/status-severity.ts';
import styles from './callout.module.css';
import { errorMessage } from './format/error-message.ts';
import severities from './severity.module.css';

interface CalloutProps {
  readonly severity: Severity;
  /** `alert` interrupts a screen reader; `status` waits. */
  readonly role?: 'alert' | 'status';
  readonly children: ReactNode;
}

export const Callout = ({ severity, role, children }: CalloutProps) => (
  <div role={role} className={`${styles.callout} ${severities.severity}`} data-severity={severity}>
    {children}
  </div>
);

export function ErrorBox({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  const { text, fields, requestId } = errorMessage(error);
  return (
    <Callout severity="bad" role="alert">
      <p>{text}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map(field => (
            <li key={field}>{field}</li>
          ))}
        </ul>
      )}
      {requestId !== '' && <p className={styles.requestId}>Request ID: {requestId}</p>}
    </Callout>
  );
}
