import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { BlockingHost } from '#client/blocking-hosts.ts';
import { outageWords } from '#client/blocking-hosts.ts';
import { When } from '../ui/when.tsx';
import { numberText } from '../ui/words/counted.ts';
import styles from './blocking-hosts.module.css';

const MAX_LISTED = 10;

/** Members that are out of service, each with its reason and since when. */
export function BlockingHosts({ hosts }: { readonly hosts: readonly BlockingHost[] }) {
  const more = hosts.length - MAX_LISTED;
  return (
    <ul className={styles.hosts} aria-label="Hosts out of service">
      {hosts.slice(0, MAX_LISTED).map(({ address, reason, detail, since }) => (
        <li key={address}>
          <Link to="/hosts/$address" params={{ address }} className="mono">
            {address}
          </Link>{' '}
          {outageWords(reason)}
          {since !== null && (
            <>
              {' since '}
              <When at={since} />
            </>
          )}
          {detail !== '' && ` (${detail})`}
        </li>
      ))}
      {more > 0 && <li>… and {numberText(more)} more</li>}
    </ul>
  );
}

/** Buttons below the list. */
export const BlockingHostActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
