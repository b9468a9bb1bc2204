import { Panel } from '../../ui/page.tsx';
import { counted } from '../../ui/words/counted.ts';
import { labelOf, wordsOf } from '../../ui/words/status-words.ts';
import styles from './host.module.css';
import type { OwnStatus } from './use-host.ts';

/** What is left to be done on it, oldest first. */
export const WorkPanel = ({ tasks }: { readonly tasks: OwnStatus['tasks'] }) => (
  <Panel title="Pending tasks">
    {tasks.length === 0 && <p className="soft">No pending tasks.</p>}
    <ol className={styles.list}>
      {tasks.map(({ kind, step, attempts, problem }) => (
        <li key={kind} className={styles.list}>
          <p>
            <strong>{labelOf(kind)}</strong>
            {step !== undefined && `: step ${wordsOf(step)}`}
            {attempts > 0 && `, ${counted(attempts, 'failed attempt')}`}
          </p>
          {problem !== undefined && <p className={styles.problem}>{problem}</p>}
        </li>
      ))}
    </ol>
  </Panel>
);
