import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { memo, useId, useMemo, useState } from 'react';
import { ClusterOptions } from '../../clusters/cluster-select.tsx';
import type { Fleet } from '../../fleet/fleet.ts';
import { newChoices } from './host-choices.ts';
import styles from './host-filters.module.css';
import type { HostsSearch } from './search.ts';
import { IN_NO_CLUSTER } from './search.ts';

interface HostFiltersProps {
  readonly fleet: Fleet;
  readonly search: HostsSearch;
  readonly text: string;
  readonly onText: (text: string) => void;
}

type Choice = 'cluster' | 'os' | 'label';

/** What is looked for; the address bar has it, so that it can be sent to somebody. */
export const HostFilters = memo(function HostFilters({ fleet, search, text, onText }: HostFiltersProps) {
  const navigate = useNavigate({ from: '/hosts' });
  const listId = useId();
  const [choicesOf] = useState(newChoices);
  const { systems, labels } = useMemo(() => choicesOf(fleet.rows), [choicesOf, fleet.rows]);
  const choose = (name: Choice, value: string) =>
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
      onChange={event => choose(name, event.currentTarget.value)}
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
        <ClusterOptions none="Any cluster" chosen={cluster === IN_NO_CLUSTER ? undefined : cluster}>
          <option value={IN_NO_CLUSTER}>No cluster</option>
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
          if (event.key === 'Enter') choose('label', event.currentTarget.value.trim());
        }}
        onBlur={event => {
          const label = event.currentTarget.value.trim();
          if (label !== (search.label ?? '')) choose('label', label);
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
