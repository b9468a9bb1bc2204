import type { FormEvent } from 'react';
import { shownNouns } from '../../event-words/event-nouns.ts';
import { useMe } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { labelOf } from '../../ui/words/status-words.ts';
import styles from './audit.module.css';
import { localOf, utcOf } from './local-time.ts';
import type { AuditSearch } from './search.ts';
import { readAuditSearch } from './search.ts';

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

const TEXTS = [
  ['actor', 'Actor'],
  ['subject', 'Subject'],
  ['cluster', 'Cluster'],
  ['host', 'Host'],
  ['operation', 'Operation'],
] as const;

/** Which entries are shown; the address bar keeps it. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { role } = useMe();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = Object.fromEntries(new FormData(event.currentTarget));
    const [since, until] = [utcOf(String(typed['since'])), utcOf(String(typed['until']))];
    onChange(readAuditSearch({ ...typed, since, until }));
  };
  return (
    // Begun anew when the address bar says something else.
    <form key={JSON.stringify(search)} className={styles.filters} onSubmit={submit} role="search">
      <SelectField
        label="Event type"
        name="type"
        defaultValue={search.type ?? ''}
        onChange={({ target }) => target.form?.requestSubmit()}
      >
        <option value="">Any</option>
        {shownNouns(role).map(({ noun, types }) => (
          <optgroup key={noun} label={labelOf(noun)}>
            {types.map(type => (
              <option key={type}>{type}</option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      {TEXTS.map(([name, label]) => (
        <TextField key={name} label={label} name={name} defaultValue={search[name] ?? ''} placeholder="Any" />
      ))}
      <TextField
        label="From (local time)"
        name="since"
        type="datetime-local"
        defaultValue={localOf(search.since ?? '')}
      />
      <TextField
        label="Before (local time)"
        name="until"
        type="datetime-local"
        defaultValue={localOf(search.until ?? '')}
      />
      <div className={styles.apply}>
        <Button type="submit" kind="primary">
          Apply filters
        </Button>
        {Object.keys(search).length > 0 && <Button onClick={() => onChange({})}>Clear filters</Button>}
      </div>
    </form>
  );
}
