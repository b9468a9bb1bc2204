import { useRouter } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { useEffect, useId, useState } from 'react';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import { usePermissions } from '../../auth/session.tsx';
import { useClusterNames } from '../../clusters/queries.ts';
import { useLatestOperations } from '../../operations/queries.ts';
import { ErrorBox } from '../../ui/callout.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './search-dialog.module.css';
import type { SearchAction, SearchResult } from './search-results.ts';
import { findResults, MAX_FETCHED_HOSTS, selectSearchWord } from './search-results.ts';

/** The server searches on every request, so a fast typist must not cause one per key. */
const SEARCH_DELAY_MS = 150;

/** Returns the value after it has not changed for some time. */
function useDebounced(value: string, delayMs: number): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}

/** `isPending`: the hosts of this text are not known yet. Hosts of an earlier text are never among the results. */
function useSearchResults(text: string) {
  const { can } = usePermissions();
  const wanted = selectSearchWord(text);
  const query = useDebounced(wanted, SEARCH_DELAY_MS);
  const clusters = useClusterNames();
  const { data: operations = [] } = useLatestOperations();
  const { data, error } = useApiQuery(
    queryKeys.hostSearch(query),
    ({ signal }) => api.listHosts({ query: { q: query, extended: true, limit: MAX_FETCHED_HOSTS }, signal }),
    { enabled: query !== '' },
  );
  const isCurrent = query === wanted;
  const hosts = (isCurrent && data) || [];
  return {
    groups: findResults({ can, clusters, operations, hosts }, text),
    isPending: wanted !== '' && !(isCurrent && (data !== undefined || error !== null)),
    error: isCurrent ? error : null,
  };
}

const resultKey = ({ title, detail = '' }: SearchResult): string => `${title} ${detail}`;

interface SearchDialogProps {
  readonly onAction: (action: SearchAction) => void;
  readonly onClose: () => void;
}

/** A combobox with a list of results. Arrow keys select a result, Enter opens it. */
export function SearchDialog({ onAction, onClose }: SearchDialogProps) {
  const router = useRouter();
  const id = useId();
  const [text, setText] = useState('');
  /** Follows the result when hosts are added before it. Undefined: the first result. */
  const [selectedKey, setSelectedKey] = useState<string>();
  /** Enter was pressed before the results were complete. */
  const [isEnterPending, setEnterPending] = useState(false);
  const { groups, isPending, error } = useSearchResults(text);
  const results = groups.flatMap(group => group.results);
  const selected = Math.max(
    0,
    results.findIndex(result => resultKey(result) === selectedKey),
  );
  const selectedResult = results[selected];
  const optionId = (index: number) => `${id}-${index}`;

  const open = (result: SearchResult) => {
    onClose();
    if ('action' in result) onAction(result.action);
    else router.history.push(result.path);
  };
  const select = (index: number) => {
    setSelectedKey(results[index] && resultKey(results[index]));
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && results.length > 0) select((selected + step + results.length) % results.length);
    else if (event.key === 'Enter') setEnterPending(true);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    if (!isEnterPending || isPending) return;
    setEnterPending(false);
    if (selectedResult !== undefined) open(selectedResult);
  });

  let index = -1;
  return (
    <Dialog title="Search" onClose={onClose} size="search">
      <input
        type="text"
        role="combobox"
        aria-label="Search hosts, clusters, operations and actions"
        placeholder="Hostname, address, label, cluster, operation or action"
        aria-autocomplete="list"
        aria-expanded={results.length > 0}
        aria-controls={id}
        aria-activedescendant={results.length === 0 ? undefined : optionId(selected)}
        autoComplete="off"
        spellCheck={false}
        className={styles.input}
        value={text}
        onChange={event => {
          setText(event.target.value);
          setSelectedKey(undefined);
          setEnterPending(false);
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
                  key={resultKey(result)}
                  id={optionId(position)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={position === selected}
                  className={styles.option}
                  onClick={() => open(result)}
                  onKeyDown={onKeyDown}
                  onMouseMove={() => setSelectedKey(resultKey(result))}
                >
                  <span>{result.title}</span>
                  {result.detail !== undefined && <span className={styles.detail}>{result.detail}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <ErrorBox error={error} />
      <p role="status" className={styles.status}>
        {isPending ? 'Searching hosts…' : results.length === 0 && 'No results'}
      </p>
    </Dialog>
  );
}
