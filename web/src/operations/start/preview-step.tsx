import type { Wish } from '../../policy/policy-draft.ts';
import { PolicyList } from '../../policy/policy-list.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { sentence } from '../../ui/words/sentence.ts';
import { someOf } from '../../ui/words/some-of.ts';
import { BlockedStart } from './blocked-start.tsx';
import { PlanHosts } from './plan-hosts.tsx';
import { blockedEffect, problemsOf, startWords, troubleWords } from './plan-words.ts';
import type { Plan } from './put-operation.ts';
import styles from './start-operation.module.css';
import { StartRefused } from './start-refused.tsx';

interface PreviewStepProps {
  readonly plan: Plan;
  /** How many members the cluster has. */
  readonly members: number;
  readonly problem: unknown;
  readonly isBusy: boolean;
  readonly isPreviewing: boolean;
  /** Previews again with these policy fields. */
  readonly onChange: (fields: Wish) => void;
  readonly onStart: () => void;
  readonly onBack: () => void;
}

const MOST_NAMED = 8;

function Trouble({ plan }: { readonly plan: Plan }) {
  const words = troubleWords(plan);
  if (words === '') return null;
  return (
    <div className={styles.trouble}>
      <p>
        <strong>{words}:</strong>
      </p>
      <ul>
        {problemsOf(plan).map(({ problem, addresses }) => (
          <li key={problem}>
            <span className="mono">{someOf(addresses, MOST_NAMED)}</span>: {problem}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Whether the operation would fail or pause at once. */
const willNotRun = (plan: Plan): boolean => ['fail', 'pause'].includes(blockedEffect(plan) ?? '');

/** The second step: what would be done. */
export const PreviewStep = ({
  plan,
  members,
  problem,
  isBusy,
  isPreviewing,
  onChange,
  onStart,
  onBack,
}: PreviewStepProps) => (
  <div className={styles.step}>
    <p>
      Review the plan. Nothing has started yet.
      {plan.version !== undefined && (
        <>
          {' '}
          Version <code>{plan.version}</code>.
        </>
      )}
    </p>
    {plan.detail !== '' && (
      <div className={styles.trouble}>
        <p>{sentence(plan.detail)}</p>
      </div>
    )}
    <BlockedStart plan={plan} members={members} isBusy={isPreviewing} onChange={onChange} />
    <Trouble plan={plan} />
    <PlanHosts hosts={plan.hosts} />
    <details className={styles.policy}>
      <summary>
        <strong>Effective policy</strong>
      </summary>
      <PolicyList policy={plan.policy} />
    </details>
    <StartRefused problem={problem} cluster={plan.cluster} />
    <DialogActions>
      <Button onClick={onBack}>Back</Button>
      <Button kind={willNotRun(plan) ? 'plain' : 'primary'} isBusy={isBusy} onClick={onStart}>
        {startWords(plan)}
      </Button>
    </DialogActions>
  </div>
);
