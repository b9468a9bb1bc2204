import { Callout } from './callout.tsx';
import styles from './problem-box.module.css';
import { problemWords } from './words/problem-words.ts';

/** Why something did not work; nothing where there is no problem. */
export function ProblemBox({ problem }: { readonly problem: unknown }) {
  if (problem === undefined || problem === null) return null;
  const { text, fields, requestId } = problemWords(problem);
  return (
    <Callout tone="bad" role="alert">
      <p>{text}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map(field => (
            <li key={field}>{field}</li>
          ))}
        </ul>
      )}
      {requestId !== '' && <p className={styles.request}>Request ID: {requestId}</p>}
    </Callout>
  );
}
