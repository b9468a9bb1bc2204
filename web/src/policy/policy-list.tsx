import { POLICY_LABELS } from './policy-fields.ts';
import styles from './policy-form.module.css';
import type { PartialPolicy } from './policy-form-values.ts';
import { formatPolicyDefault, formatPolicyField } from './policy-summary.ts';

interface PolicyListProps {
  readonly policy: PartialPolicy;
  readonly customLabel?: string;
}

export const PolicyList = ({ policy, customLabel }: PolicyListProps) => (
  <dl className={styles.rows}>
    {Object.entries(POLICY_LABELS).map(([name, label]) => {
      const text = formatPolicyField(name, policy);
      return (
        <div key={name}>
          <dt>{label}</dt>
          {text === '' ? (
            <dd className={styles.default}>{formatPolicyDefault(name)}</dd>
          ) : (
            <dd className={customLabel && styles.custom}>
              {text}
              {customLabel && ` (${customLabel})`}
            </dd>
          )}
        </div>
      );
    })}
  </dl>
);
