import type { FormEvent } from 'react';
import { useAccount } from '../../auth/session.tsx';
import { visibleCategories } from '../../events/event-categories.ts';
import { Button } from '../../ui/button.tsx';
import { toLabel } from '../../ui/format/text.ts';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import styles from './audit.module.css';
import type { AuditSearch } from './search.ts';
import { parseAuditSearch, toLocalInput, toUtc } from './search.ts';

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

const TEXT_FILTERS = [
  ['actor', 'Actor'],
  ['subject', 'Subject'],
  ['cluster', 'Cluster'],
  ['host', 'Host'],
  ['operation', 'Operation'],
] as const;

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { role } = useAccount();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget));
    const [since, until] = [toUtc(String(values['since'])), toUtc(String(values['until']))];
    onChange(parseAuditSearch({ ...values, since, until }));
  };
  return (
    // Remounts when the URL changes.
    <form key={JSON.stringify(search)} className={styles.filters} onSubmit={submit} role="search">
      <SelectField
        label="Event type"
        name="type"
        defaultValue={search.type ?? ''}
        onChange={({ target }) => target.form?.requestSubmit()}
      >
        <option value="">Any</option>
        {visibleCategories(role).map(({ name, types }) => (
          <optgroup key={name} label={toLabel(name)}>
            {types.map(type => (
              <option key={type}>{type}</option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      {TEXT_FILTERS.map(([name, label]) => (
        <TextField key={name} label={label} name={name} defaultValue={search[name] ?? ''} placeholder="Any" />
      ))}
      <TextField
        label="From (local time)"
        name="since"
        type="datetime-local"
        defaultValue={toLocalInput(search.since ?? '')}
      />
      <TextField
        label="Before (local time)"
        name="until"
        type="datetime-local"
        defaultValue={toLocalInput(search.until ?? '')}
      />
      <div className={styles.apply}>
        <Button type="submit" variant="primary">
          Apply filters
        </Button>
        {Object.keys(search).length > 0 && <Button onClick={() => onChange({})}>Clear filters</Button>}
      </div>
    </form>
  );
}
