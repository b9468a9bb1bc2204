import { Link } from '@tanstack/react-router';
import { OperationLines } from '../../operations/operation-line.tsx';
import { useRunning } from '../../operations/use-operations.ts';
import { Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './overview.module.css';

const MOST = 10;

export function RunningOperations() {
  const { data = [], error } = useRunning();
  const more = data.length - MOST;
  return (
    <Panel title="Running operations" isFlush actions={<Link to="/operations">View all operations</Link>}>
      <ProblemBox problem={error} />
      {data.length === 0 ? (
        <p className={styles.quiet}>No operations are running. Start one from a cluster.</p>
      ) : (
        <OperationLines of={data.slice(0, MOST)} />
      )}
      {more > 0 && (
        <p className={styles.quiet}>
          <Link to="/operations" search={{ status: 'in_process' }}>
            View {more} more
          </Link>
        </p>
      )}
    </Panel>
  );
}
