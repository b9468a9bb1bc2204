import type { Static } from 'typebox';
import type { OperationHostView } from '#contract/routes/operations.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { When } from '../../../ui/when.tsx';
import { labelOf, wordsOf } from '../../../ui/words/status-words.ts';
import styles from './step-output.module.css';
import { useStuckToEnd } from './use-stuck-to-end.ts';

type Said = Static<typeof OperationHostView>['output'][number];

/** What a step has said on a host, as it comes. It is text and stays text. */
export function StepOutput({ said }: { readonly said: Said }) {
  const { step, attempt, at, output } = said;
  const end = useStuckToEnd<HTMLPreElement>(output);
  return (
    <section className={styles.step} aria-label={`Output of ${wordsOf(step)}, attempt ${attempt}`}>
      <header>
        <h4>{labelOf(step)}</h4>
        <span className={styles.when}>
          {attempt > 1 && `attempt ${attempt}, `}
          <When at={at} as="clock" />
        </span>
        <CopyButton text={output} what={`the output of ${wordsOf(step)}`} />
      </header>
      {output === '' ? (
        <p className={styles.none}>No output.</p>
      ) : (
        <pre ref={end} tabIndex={0}>
          {output}
        </pre>
      )}
    </section>
  );
}
