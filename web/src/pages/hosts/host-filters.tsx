import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { memo, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { getSeverity } from '#sdk/status-severity.ts';
import { HOST_STATUSES } from '#vocabulary';
import { ClusterOptions } from '../../clusters/cluster-select.tsx';
import type { HostTable } from '../../hosts/host-table.ts';
import { formatNumber, statusLabel } from '../../ui/format/text.ts';
import { SEVERITY_ICONS } from '../../ui/status-badge.tsx';
import type { FilteredHosts } from './filter-hosts.ts';
import { createFilterOptions } from './filter-hosts.ts';
import styles from './host-filters.module.css';
import type { HostsSearch } from './search.ts';
import { NO_CLUSTER } from './search.ts';

interface HostFiltersProps {
  readonly table: HostTable;
  readonly search: HostsSearch;
  readonly text: string;
  readonly onText: (text: string) => void;
}

type FilterName = 'cluster' | 'os' | 'label';

/** What is looked for; the address bar has it, so that it can be sent to somebody. */
export const HostFilters = memo(function HostFilters({ table, search, text, onText }: HostFiltersProps) {
  const navigate = useNavigate({ from: '/hosts' });
  const listId = useId();
  const [getOptions] = useState(createFilterOptions);
  const { systems, labels } = useMemo(() => getOptions(table.rows), [getOptions, table.rows]);
  const setFilter = (name: FilterName, value: string) =>
    navigate({
      search: ({ [name]: _before, ...others }) => (value === '' ? others : { ...others, [name]: value }),
      replace: true,
      resetScroll: false,
    });
  const select = (name: 'cluster' | 'os', label: string, options: ReactNode) => (
    <select
      className={styles.input}
      aria-label={label}
      value={search[name] ?? ''}
      onChange={event => setFilter(name, event.currentTarget.value)}
    >
      {options}
    </select>
  );
  const { cluster, os } = search;
  return (
    <search className={styles.filters}>
      <input
        type="search"
        className={styles.input}
        aria-label="Search hosts"
        placeholder="Search by address, hostname, label or cluster"
        spellCheck={false}
        value={text}
        onChange={event => onText(event.currentTarget.value)}
      />
      {select(
        'cluster',
        'Cluster',
        <ClusterOptions emptyLabel="Any cluster" selected={cluster === NO_CLUSTER ? undefined : cluster}>
          <option value={NO_CLUSTER}>No cluster</option>
        </ClusterOptions>,
      )}
      {select(
        'os',
        'OS',
        <>
          <option value="">Any OS</option>
          {[...new Set([...systems, ...(os === undefined ? [] : [os])])].map(choice => (
            <option key={choice}>{choice}</option>
          ))}
        </>,
      )}
      <input
        type="search"
        className={styles.input}
        aria-label="Label: key or key=value"
        placeholder="Any label"
        spellCheck={false}
        list={listId}
        // Typed in the address bar, or selected: what is there is shown anew.
        key={search.label ?? ''}
        defaultValue={search.label ?? ''}
        onKeyDown={event => {
          if (event.key === 'Enter') setFilter('label', event.currentTarget.value.trim());
        }}
        onBlur={event => {
          const label = event.currentTarget.value.trim();
          if (label !== (search.label ?? '')) setFilter('label', label);
        }}
      />
      <datalist id={listId}>
        {labels.map(label => (
          <option key={label} value={label} />
        ))}
      </datalist>
    </search>
  );
});

/** The one that was chosen is the page that is shown. */
const EXACT = { exact: true, includeSearch: true };

interface StatusFilterProps {
  readonly filtered: FilteredHosts;
  readonly search: HostsSearch;
}

/** How many hosts there are of each status; each leads to those. */
export const StatusFilter = memo(function StatusChips({
  filtered: { counts, total },
  search,
}: StatusFilterProps) {
  const { status: _status, ...otherFilters } = search;
  return (
    <nav className={styles.chips} aria-label="Hosts by status">
      <Link to="/hosts" search={otherFilters} className={styles.chip} activeOptions={EXACT}>
        All <span className={styles.count}>{formatNumber(total)}</span>
      </Link>
      {HOST_STATUSES.map(status => (
        <Link
          key={status}
          to="/hosts"
          search={{ ...otherFilters, status }}
          className={styles.chip}
          activeOptions={EXACT}
        >
          <span aria-hidden="true" className={`${styles.icon} ${styles[getSeverity(status)]}`}>
            {SEVERITY_ICONS[getSeverity(status)]}
          </span>
          {statusLabel(status)} <span className={styles.count}>{formatNumber(counts.get(status) ?? 0)}</span>
        </Link>
      ))}
    </nav>
  );
});

/** The address bar follows when somebody pauses: browsers refuse to change it at every key. */
const DEBOUNCE_MS = 150;
const HOSTS_PATH = '/hosts';

/** What is typed into the search, which the address bar has as well. `q`: what it has now. */
export function useSearchText(q: string): readonly [text: string, type: (text: string) => void] {
  const navigate = useNavigate({ from: HOSTS_PATH });
  const [text, setText] = useState(q);
  const written = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Somebody went back, or pressed a link.
    if (q === written.current) return;
    written.current = q;
    setText(q);
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const type = useCallback(
    (next: string) => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        // Somebody has gone elsewhere meanwhile, to a page that is still being loaded.
        if (globalThis.location.pathname !== HOSTS_PATH) return;
        written.current = next;
        navigate({
          search: ({ q: _previous, ...others }) => (next === '' ? others : { ...others, q: next }),
          replace: true,
          resetScroll: false,
        });
      }, DEBOUNCE_MS);
    },
    [navigate],
  );
  return [text, type];
}
