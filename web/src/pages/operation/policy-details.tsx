import { Facts } from '../../ui/page.tsx';
import styles from './policy-details.module.css';
import { policyRows } from './policy-sentences.ts';
import type { OperationWhole } from './use-operation.ts';

/** The policy that it began with, and keeps. */
export const PolicyDetails = ({ policy }: Pick<OperationWhole, 'policy'>) => (
  <details className={styles.details}>
    <summary>The policy that it keeps to</summary>
    <Facts of={policyRows(policy).map(([name, value]) => [name, value])} />
  </details>
);
