import type { FormEvent } from 'react';
import { useAccount } from '../../auth/session.tsx';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { eventTypeLabel, visibleCategories } from '../../events/event-categories.ts';
import { HostFilterField, useHostFilter } from '../../hosts/host-filter.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { toLabel } from '../../ui/format/text.ts';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import styles from './audit.module.css';
import type { AuditSearch } from './search.ts';
import { hasFilters, parseAuditSearch, toLocalInput, toUtc } from './search.ts';

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

const TEXT_FILTERS = [
  ['actor', 'Account'],
  ['subject', 'Record'],
  ['operation', 'Operation ID'],
] as const;

const ORIGINS: readonly (readonly [origin: AuditSearch['origin'], label: string])[] = [
  [undefined, 'People and programs'],
  ['system', 'Health checks and system'],
  ['all', 'Everything'],
];

export const OriginPicker = ({ search, onChange }: AuditFiltersProps) => (
  <SegmentedControl
    label="Show entries of"
    options={ORIGINS}
    selected={search.origin}
    onSelect={origin => onChange(parseAuditSearch({ ...search, origin }))}
  />
);

export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { role } = useAccount();
  const hostFilter = useHostFilter(search.host);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget));
    const [since, until] = [toUtc(String(values['since'])), toUtc(String(values['until']))];
    hostFilter.find({
      text: String(values['host']),
      onFound: host => onChange(parseAuditSearch({ ...values, origin: search.origin, since, until, host })),
    });
  };
  const clear = () => {
    hostFilter.reset();
    onChange(parseAuditSearch({ origin: search.origin }));
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
              <option key={type} value={type}>
                {eventTypeLabel(type)}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      <ClusterSelect
        label="Cluster"
        name="cluster"
        emptyLabel="Any"
        selected={search.cluster}
        defaultValue={search.cluster ?? ''}
        onChange={({ target }) => target.form?.requestSubmit()}
      />
      {TEXT_FILTERS.map(([name, label]) => (
        <TextField key={name} label={label} name={name} defaultValue={search[name] ?? ''} placeholder="Any" />
      ))}
      <HostFilterField filter={hostFilter} />
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
        {hasFilters(search) && <Button onClick={clear}>Clear filters</Button>}
      </div>
      <ErrorBox error={hostFilter.error} />
    </form>
  );
}
