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

/** The filters are stored in the URL, so a link can be shared. */
export const HostFilters = memo(function HostFilters({ table, search, text, onText }: HostFiltersProps) {
  const navigate = useNavigate({ from: '/hosts' });
  const listId = useId();
  const [getOptions] = useState(createFilterOptions);
  const { systems, labels } = useMemo(() => getOptions(table.rows), [getOptions, table.rows]);
  const setFilter = (name: FilterName, value: string) =>
    navigate({
      search: ({ [name]: _previous, ...others }) => (value === '' ? others : { ...others, [name]: value }),
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
        placeholder="Search by hostname, address, label or cluster"
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
          {[...new Set([...systems, ...(os === undefined ? [] : [os])])].map(option => (
            <option key={option}>{option}</option>
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
        // Remounts when the URL changes.
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

/** A chip is active only if all search parameters match. */
const EXACT = { exact: true, includeSearch: true };

interface StatusFilterProps {
  readonly filtered: FilteredHosts;
  readonly search: HostsSearch;
}

export const StatusFilter = memo(function StatusFilter({ filtered: { counts, total }, search }: StatusFilterProps) {
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

/** Browsers limit the rate of URL changes. */
const DEBOUNCE_MS = 150;
const HOSTS_PATH = '/hosts';

/** Text of the search input, mirrored to the URL with a delay. `q` is the current value in the URL. */
export function useSearchText(q: string): readonly [text: string, updateText: (text: string) => void] {
  const navigate = useNavigate({ from: HOSTS_PATH });
  const [text, setText] = useState(q);
  const lastWritten = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // The URL changed by another action, such as the back button or a link.
    if (q === lastWritten.current) return;
    lastWritten.current = q;
    setText(q);
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const updateText = useCallback(
    (next: string) => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        // The user has already navigated to a page that is still loading.
        if (globalThis.location.pathname !== HOSTS_PATH) return;
        lastWritten.current = next;
        navigate({
          search: ({ q: _previous, ...others }) => (next === '' ? others : { ...others, q: next }),
          replace: true,
          resetScroll: false,
        });
      }, DEBOUNCE_MS);
    },
    [navigate],
  );
  return [text, updateText];
}
