import type { ReactNode } from 'react';
import type { Outage } from '#sdk/blocking-hosts.ts';
import { formatOutageReason } from '#sdk/blocking-hosts.ts';
import { formatNumber } from '../ui/format/text.ts';
import { HostLink } from '../ui/links.tsx';
import { Timestamp } from '../ui/timestamp.tsx';
import styles from './outage-list.module.css';

const MAX_LISTED = 10;

export function OutageList({ hosts }: { readonly hosts: readonly Outage[] }) {
  const more = hosts.length - MAX_LISTED;
  return (
    <ul className={styles.hosts} aria-label="Unavailable hosts">
      {hosts.slice(0, MAX_LISTED).map(({ address, hostname, reason, detail, since }) => (
        <li key={address}>
          <HostLink address={address} hostname={hostname} /> {formatOutageReason(reason)}
          {since !== null && (
            <>
              {' since '}
              <Timestamp at={since} />
            </>
          )}
          {detail !== '' && ` (${detail})`}
        </li>
      ))}
      {more > 0 && <li>… and {formatNumber(more)} more</li>}
    </ul>
  );
}

export const OutageActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
