import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useId, useRef, useState } from 'react';
import type { Hostnames } from '#sdk/hostnames.ts';
import { useAccount } from '../../auth/session.tsx';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { visibleCategories } from '../../events/event-categories.ts';
import { EventDot, EventMessage } from '../../events/event-line.tsx';
import type { ListedEvent } from '../../events/event-list.ts';
import { useEventList } from '../../events/use-event-list.ts';
import { HostFilterField, useHostFilter } from '../../hosts/host-filter.tsx';
import { useHostnames } from '../../hosts/use-hostnames.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { toLabel } from '../../ui/format/text.ts';
import { SelectField } from '../../ui/forms/field.tsx';
import { EmptyState, Loading, Page, Panel } from '../../ui/page.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import styles from './events.module.css';
import { filterByCategory, splitAtPause } from './pause.ts';
import type { EventsSearch } from './search.ts';
import { parseEventsSearch } from './search.ts';

/** Returns a function that always calls the latest version of `callback`. */
function useLatest<Args extends readonly unknown[]>(callback: (...args: Args) => void) {
  const latest = useRef(callback);
  latest.current = callback;
  return (...args: Args) => latest.current(...args);
}

interface EventsFiltersProps {
  readonly search: EventsSearch;
  readonly onChange: (search: EventsSearch) => void;
}

function EventsFilters({ search, onChange }: EventsFiltersProps) {
  const { role } = useAccount();
  const formId = useId();
  const updateSearch = (changes: Record<string, unknown>) => onChange(parseEventsSearch({ ...search, ...changes }));
  const hostFilter = useHostFilter(search.host);
  // Another filter can change while the server looks for the host.
  const setHost = useLatest((host: string) => updateSearch({ host }));
  const findHost = (text: string) => hostFilter.find({ text, onFound: setHost });
  const clear = () => {
    hostFilter.reset();
    onChange({});
  };
  return (
    <form
      id={formId}
      role="search"
      className={styles.filters}
      onSubmit={event => {
        event.preventDefault();
        findHost(String(new FormData(event.currentTarget).get('host')));
      }}
    >
      <SelectField
        label="Category"
        value={search.noun ?? ''}
        onChange={({ target }) => updateSearch({ noun: target.value })}
      >
        <option value="">Any</option>
        {visibleCategories(role).map(({ name }) => (
          <option key={name} value={name}>
            {toLabel(name)}
          </option>
        ))}
      </SelectField>
      <ClusterSelect
        label="Cluster"
        emptyLabel="Any"
        selected={search.cluster}
        value={search.cluster ?? ''}
        onChange={({ target }) => updateSearch({ cluster: target.value })}
      />
      <HostFilterField filter={hostFilter} onLeave={findHost} />
      {Object.keys(search).length > 0 && <Button onClick={clear}>Clear filters</Button>}
      <ErrorBox error={hostFilter.error} />
    </form>
  );
}

interface EventRowProps {
  readonly event: ListedEvent;
  readonly hostnames: Hostnames;
}

const EventRow = memo(({ event, hostnames }: EventRowProps) => (
  <li className={styles.line}>
    <span className={styles.time}>
      <EventDot event={event} />
      <Timestamp at={event.at} format="time" />
    </span>
    <span className={styles.type}>{event.type}</span>
    <span className={styles.text}>
      <EventMessage event={event} hostnames={hostnames} />
    </span>
  </li>
));

// Shows events as they occur. While the list is paused, new events are counted and kept.

export function EventsPage() {
  const search = useSearch({ from: '/events' });
  const navigate = useNavigate();
  const { data, error } = useEventList(search);
  const hostnames = useHostnames();
  const [pausedAt, setPausedAt] = useState<number>();
  const isPaused = pausedAt !== undefined;
  const { visible, newCount } = splitAtPause(pausedAt, filterByCategory(data?.value ?? [], search.noun));

  const pauseControls = (
    <>
      <span role="status" className={styles.pauseStatus}>
        {isPaused && (newCount === 0 ? 'Paused' : `Paused, ${newCount} new`)}
      </span>
      <Button onClick={() => setPausedAt(isPaused ? undefined : (data?.position ?? 0))}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </>
  );
  return (
    <Page title="Events">
      <EventsFilters search={search} onChange={next => navigate({ to: '/events', search: next })} />
      <ErrorBox error={error} />
      <Panel title="Live events" actions={pauseControls} isFlush>
        {data === undefined && error === null && <Loading label="events" />}
        {data !== undefined && visible.length === 0 && (
          <EmptyState title="No recent events match">
            <p>
              New events appear here immediately. For older events and who caused them, see the{' '}
              <Link to="/audit">audit log</Link>.
            </p>
          </EmptyState>
        )}
        <ol aria-label="Events, newest first">
          {visible.map(event => (
            <EventRow key={event.id} event={event} hostnames={hostnames} />
          ))}
        </ol>
      </Panel>
    </Page>
  );
}
