import { keepPreviousData } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { useDeferredValue, useId, useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { usePermissions } from '../../auth/session.tsx';
import { useClusterNames } from '../../clusters/queries.ts';
import { useLatestOperations } from '../../operations/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import styles from './search-dialog.module.css';
import type { SearchAction, SearchResult } from './search-results.ts';
import { findResults, MAX_HOSTS } from './search-results.ts';

/** The server searches on every request, so a fast typist must not cause one per key. */
const SEARCH_DELAY_MS = 150;

function useSearchResults(text: string) {
  const { can } = usePermissions();
  const query = useDebounced(text.trim(), SEARCH_DELAY_MS);
  const clusters = useClusterNames();
  const { data: operations = [] } = useLatestOperations();
  const { data: hosts = [], isFetching } = useApiQuery(
    queryKeys.hostSearch(query),
    ({ signal }) => api.listHosts({ query: { q: query, extended: true, limit: MAX_HOSTS }, signal }),
    { enabled: query !== '', placeholderData: keepPreviousData },
  );
  return { groups: findResults({ can, clusters, operations, hosts }, text), isFetching };
}

interface SearchDialogProps {
  readonly onAction: (action: SearchAction) => void;
  readonly onClose: () => void;
}

/** A combobox with a list of results. Arrow keys select a result, Enter opens it. */
export function SearchDialog({ onAction, onClose }: SearchDialogProps) {
  const router = useRouter();
  const id = useId();
  const [text, setText] = useState('');
  const [selectedIndex, setSelectedIndex] = useState(0);
  const { groups, isFetching } = useSearchResults(useDeferredValue(text));
  const results = groups.flatMap(group => group.results);
  const selected = Math.min(selectedIndex, results.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  const open = (result: SearchResult) => {
    onClose();
    if ('action' in result) onAction(result.action);
    else router.history.push(result.path);
  };
  const select = (index: number) => {
    setSelectedIndex(index);
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const result = results[selected];
    if (step !== undefined && results.length > 0) select((selected + step + results.length) % results.length);
    else if (event.key === 'Enter' && result !== undefined) open(result);
    else return;
    event.preventDefault();
  };

  let index = -1;
  return (
    <Dialog title="Search" onClose={onClose} size="search">
      <input
        type="text"
        role="combobox"
        aria-label="Search hosts, clusters, operations and actions"
        placeholder="Hostname, address, label, cluster, operation or action"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={results.length === 0 ? undefined : optionId(selected)}
        autoComplete="off"
        spellCheck={false}
        className={styles.input}
        value={text}
        onChange={event => {
          setText(event.target.value);
          setSelectedIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label="Results" className={styles.results}>
        {groups.map(group => (
          <div key={group.title} role="group" aria-label={group.title}>
            <p className={styles.group} aria-hidden="true">
              {group.title}
            </p>
            {group.results.map(result => {
              index += 1;
              const position = index;
              return (
                // The combobox keeps the focus and handles the keys.
                <div
                  key={`${result.title} ${result.detail ?? ''}`}
                  id={optionId(position)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={position === selected}
                  className={styles.option}
                  onClick={() => open(result)}
                  onKeyDown={onKeyDown}
                  onMouseMove={() => setSelectedIndex(position)}
                >
                  <span>{result.title}</span>
                  {result.detail !== undefined && <span className={styles.detail}>{result.detail}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className={styles.status}>
        {results.length === 0 && (isFetching ? 'Searching…' : 'No results')}
      </p>
    </Dialog>
  );
}
