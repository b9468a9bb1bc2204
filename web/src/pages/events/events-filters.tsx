import { useId } from 'react';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { shownNouns } from '../../event-words/event-nouns.ts';
import { useMe } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { labelOf } from '../../ui/words/status-words.ts';
import styles from './events.module.css';
import type { EventsSearch } from './search.ts';
import { readEventsSearch } from './search.ts';

interface EventsFiltersProps {
  readonly search: EventsSearch;
  readonly onChange: (search: EventsSearch) => void;
}

/** Which events are shown; the address bar keeps it. */
export function EventsFilters({ search, onChange }: EventsFiltersProps) {
  const { role } = useMe();
  const formId = useId();
  const change = (more: Record<string, unknown>) => onChange(readEventsSearch({ ...search, ...more }));
  return (
    <form
      id={formId}
      role="search"
      className={styles.filters}
      onSubmit={event => {
        event.preventDefault();
        change({ host: new FormData(event.currentTarget).get('host') });
      }}
    >
      <SelectField
        label="Category"
        value={search.noun ?? ''}
        onChange={({ target }) => change({ noun: target.value })}
      >
        <option value="">Any</option>
        {shownNouns(role).map(({ noun }) => (
          <option key={noun} value={noun}>
            {labelOf(noun)}
          </option>
        ))}
      </SelectField>
      <ClusterSelect
        label="Cluster"
        none="Any"
        chosen={search.cluster}
        value={search.cluster ?? ''}
        onChange={({ target }) => change({ cluster: target.value })}
      />
      <TextField
        key={search.host ?? ''}
        label="Host"
        name="host"
        placeholder="Any"
        defaultValue={search.host ?? ''}
        onBlur={({ target }) => target.value !== (search.host ?? '') && change({ host: target.value })}
      />
      {Object.keys(search).length > 0 && <Button onClick={() => onChange({})}>Clear filters</Button>}
    </form>
  );
}
