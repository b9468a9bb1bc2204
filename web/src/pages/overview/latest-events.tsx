import { Link } from '@tanstack/react-router';
import { EventLine } from '../../event-words/event-line.tsx';
import { useNewestHappened } from '../../event-words/use-newest-happened.ts';
import { Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './overview.module.css';

const MOST = 20;

/** What happened last. */
export function LatestEvents() {
  const { newest, error } = useNewestHappened(MOST);
  return (
    <Panel title="Recent events" actions={<Link to="/events">View all events</Link>}>
      <ProblemBox problem={error} />
      <ul className={styles.events}>
        {newest.map(each => (
          <EventLine key={each.id} of={each} />
        ))}
      </ul>
    </Panel>
  );
}
