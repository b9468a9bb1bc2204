import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { toneOf } from '#client/tone.ts';
import { HOST_STATUSES } from '#vocabulary';
import { SIGNS } from '../../ui/status.tsx';
import { numberText } from '../../ui/words/counted.ts';
import { statusLabel } from '../../ui/words/status-words.ts';
import type { HostsSearch } from './search.ts';
import type { ShownHosts } from './shown-hosts.ts';
import styles from './status-chips.module.css';

/** The one that was chosen is the page that is shown. */
const EXACT = { exact: true, includeSearch: true };

interface StatusChipsProps {
  readonly shown: ShownHosts;
  readonly search: HostsSearch;
}

/** How many hosts there are of each status; each leads to those. */
export const StatusChips = memo(function StatusChips({ shown: { counts, total }, search }: StatusChipsProps) {
  const { status: _chosen, ...others } = search;
  return (
    <nav className={styles.chips} aria-label="Hosts by status">
      <Link to="/hosts" search={others} className={styles.chip} activeOptions={EXACT}>
        All <span className={styles.count}>{numberText(total)}</span>
      </Link>
      {HOST_STATUSES.map(status => (
        <Link
          key={status}
          to="/hosts"
          search={{ ...others, status }}
          className={styles.chip}
          activeOptions={EXACT}
        >
          <span aria-hidden="true" className={`${styles.sign} ${styles[toneOf(status)]}`}>
            {SIGNS[toneOf(status)]}
          </span>
          {statusLabel(status)} <span className={styles.count}>{numberText(counts.get(status) ?? 0)}</span>
        </Link>
      ))}
    </nav>
  );
});
