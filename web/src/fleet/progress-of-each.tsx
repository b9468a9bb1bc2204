import { ProblemBox } from '../ui/problem-box.tsx';
import { counted, numberText } from '../ui/words/counted.ts';
import { problemWords } from '../ui/words/problem-words.ts';
import styles from './progress-of-each.module.css';
import type { Progress } from './run-each.ts';

/** As many as somebody reads. */
const MOST_TOLD = 200;

function words({ total, done, refused, left, isOver }: Progress): string {
  return [
    `${numberText(done)} of ${counted(total, 'host')} done`,
    ...(refused.length > 0 ? [`${numberText(refused.length)} rejected`] : []),
    ...(isOver && left.length > 0 ? [`${numberText(left.length)} not attempted`] : []),
  ].join(', ');
}

/** How far something is that is asked for many hosts, and what was refused for which. */
export function ProgressOfEach({ progress }: { readonly progress: Progress }) {
  const { total, done, refused, problem } = progress;
  return (
    <div className={styles.each}>
      <p role="status">{words(progress)}</p>
      <progress className={styles.progress} max={total} value={done + refused.length} aria-label="Progress" />
      <ProblemBox problem={problem} />
      {refused.length > 0 && (
        <ul className={styles.results} aria-label="Rejected hosts" tabIndex={0}>
          {refused.slice(0, MOST_TOLD).map(each => (
            <li key={each.address}>
              <strong>{each.address}</strong> {problemWords(each.problem).text}
            </li>
          ))}
          {refused.length > MOST_TOLD && <li>and {numberText(refused.length - MOST_TOLD)} more</li>}
        </ul>
      )}
    </div>
  );
}
