import type { Wish } from './policy-draft.ts';
import styles from './policy-form.module.css';
import { POLICY_LABELS } from './policy-labels.ts';
import { defaultWords, policyText } from './policy-words.ts';

interface PolicyListProps {
  readonly policy: Wish;
  /** Told of fields that have a value; left out: nothing. */
  readonly setWords?: string;
}

/** All fields of a policy with their values or defaults. */
export const PolicyList = ({ policy, setWords }: PolicyListProps) => (
  <dl className={styles.rows}>
    {Object.entries(POLICY_LABELS).map(([name, label]) => {
      const text = policyText(name, policy);
      return (
        <div key={name}>
          <dt>{label}</dt>
          {text === '' ? (
            <dd className={styles.byDefault}>{defaultWords(name)}</dd>
          ) : (
            <dd className={setWords && styles.set}>
              {text}
              {setWords && ` (${setWords})`}
            </dd>
          )}
        </div>
      );
    })}
  </dl>
);
