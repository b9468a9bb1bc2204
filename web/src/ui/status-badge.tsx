import type { AnyStatus, Severity } from '#sdk/status-severity.ts';
import { getSeverity } from '#sdk/status-severity.ts';
import { statusLabel } from './format/text.ts';
import severities from './severity.module.css';
import styles from './status-badge.module.css';

/** Colour alone must not distinguish severities. */
export const SEVERITY_ICONS: Readonly<Record<Severity, string>> = {
  good: '●',
  busy: '◐',
  warn: '▲',
  bad: '✕',
  idle: '○',
};

export function Badge({ severity, children }: { readonly severity: Severity; readonly children: string }) {
  return (
    <span className={`${styles.badge} ${severities.severity}`} data-severity={severity}>
      <span aria-hidden="true" className={styles.icon}>
        {SEVERITY_ICONS[severity]}
      </span>
      {children}
    </span>
  );
}

export const StatusBadge = ({ status }: { readonly status: AnyStatus }) => (
  <Badge severity={getSeverity(status)}>{statusLabel(status)}</Badge>
);
