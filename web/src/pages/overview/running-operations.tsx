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
    <Panel title="Under way" isFlush actions={<Link to="/operations">All operations</Link>}>
      <ProblemBox problem={error} />
      {data.length === 0 ? (
        <p className={styles.quiet}>No operation is under way.</p>
      ) : (
        <OperationLines of={data.slice(0, MOST)} />
      )}
      {more > 0 && <p className={styles.quiet}>{more} more are on the page of operations.</p>}
    </Panel>
  );
}
