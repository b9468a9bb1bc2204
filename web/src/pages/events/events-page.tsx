// What happens, as it happens. It can be held still to be read; nothing is lost meanwhile.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useToldEvents } from '../../event-words/use-told-events.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading, Page, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './events.module.css';
import { EventsFilters } from './events-filters.tsx';
import { ofNoun, seenWhile } from './seen-events.ts';
import { ToldLine } from './told-line.tsx';

export function EventsPage() {
  const search = useSearch({ from: '/events' });
  const navigate = useNavigate();
  const { data, error } = useToldEvents(search);
  const [pausedAt, setPausedAt] = useState<number>();
  const isPaused = pausedAt !== undefined;
  const { seen, waiting } = seenWhile(pausedAt, ofNoun(data?.value ?? [], search.noun));

  const hold = (
    <>
      <span role="status" className={styles.waiting}>
        {isPaused && (waiting === 0 ? 'Paused' : `Paused, ${waiting} new`)}
      </span>
      <Button onClick={() => setPausedAt(isPaused ? undefined : (data?.position ?? 0))}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </>
  );
  return (
    <Page title="Events">
      <EventsFilters search={search} onChange={next => navigate({ to: '/events', search: next })} />
      <ProblemBox problem={error} />
      <Panel title="Live events" actions={hold} isFlush>
        {data === undefined && error === null && <Loading what="events" />}
        {data !== undefined && seen.length === 0 && (
          <Empty title="No recent events match">
            <p>
              New events appear here immediately. For older events and who caused them, see the{' '}
              <Link to="/audit">audit log</Link>.
            </p>
          </Empty>
        )}
        <ol aria-label="Events, newest first">
          {seen.map(event => (
            <ToldLine key={event.id} event={event} />
          ))}
        </ol>
      </Panel>
    </Page>
  );
}
