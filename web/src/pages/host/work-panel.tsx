import { Panel } from '../../ui/page.tsx';
import { wordsOf } from '../../ui/status.tsx';
import { counted } from '../../ui/words/counted.ts';
import styles from './host.module.css';
import type { OwnStatus } from './use-host.ts';

/** What is left to be done on it, oldest first. */
export const WorkPanel = ({ tasks }: { readonly tasks: OwnStatus['tasks'] }) => (
  <Panel title="Work that is left">
    {tasks.length === 0 && <p className="soft">Nothing.</p>}
    <ol className={styles.list}>
      {tasks.map(({ kind, step, attempts, problem }) => (
        <li key={kind} className={styles.list}>
          <p>
            <strong>{kind}</strong>
            {step !== undefined && `, at ${wordsOf(step)}`}
            {attempts > 0 && `, tried ${counted(attempts, 'time')}`}
          </p>
          {problem !== undefined && <p className={styles.problem}>{problem}</p>}
        </li>
      ))}
    </ol>
  </Panel>
);
