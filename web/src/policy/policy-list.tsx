import type { Wish } from './policy-draft.ts';
import styles from './policy-form.module.css';
import { POLICY_GROUPS } from './policy-groups.ts';
import { defaultWords, policyText } from './policy-words.ts';

interface PolicyListProps {
  readonly policy: Wish;
  /** Told of fields that have a value; left out: nothing. */
  readonly setWords?: string;
}

/** A policy in words, group by group. What it does not say has the default. */
export const PolicyList = ({ policy, setWords }: PolicyListProps) => (
  <dl className={styles.rows}>
    {POLICY_GROUPS.flatMap(({ fields }) =>
      fields.map(([name, title]) => {
        const text = policyText(name, policy);
        return (
          <div key={name}>
            <dt>{title}</dt>
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
      }),
    )}
  </dl>
);
