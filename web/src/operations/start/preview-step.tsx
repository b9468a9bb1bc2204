import { Link } from '@tanstack/react-router';
import { exceedsMaxExcluded, findRemedies, formatAmount } from '#sdk/blocking-hosts.ts';
import { ApiError } from '#sdk/errors.ts';
import { formatDuration } from '#sdk/format.ts';
import { describePlan } from '#sdk/plan-text.ts';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useApiQuery } from '../../api/use-api-query.ts';
import type { PartialPolicy } from '../../policy/policy-form-values.ts';
import { PolicyList } from '../../policy/policy-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Callout, ErrorBox } from '../../ui/callout.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { formatCount, toSentence, truncateList } from '../../ui/format/text.ts';
import { OutageActions, OutageList } from '../outage-list.tsx';
import { PlanHosts } from './plan-hosts.tsx';
import { blockedEffect, blockedReason, failureEffect, groupProblems, planWarning, startLabel } from './plan-summary.ts';
import styles from './start-operation.module.css';
import type { Plan } from './start-request.ts';

interface BlockedStartProps {
  readonly plan: Plan;
  readonly isLoading: boolean;
  /** Previews again with these policy fields. */
  readonly onChange: (fields: PartialPolicy) => void;
}

const EFFECTS = {
  fail: 'If you start the operation now, it fails immediately.',
  pause: 'If you start the operation now, it pauses immediately.',
} as const;

function BlockedStart({ plan, isLoading, onChange }: BlockedStartProps) {
  const effect = blockedEffect(plan);
  if (effect === undefined) return null;
  const { policy, members, blocked_by: hosts } = plan;
  const { exclude, raise, wait } = findRemedies(plan);
  const maxWait = formatDuration(policy.timeouts.ready * 1000);
  return (
    <Callout severity="warn" role="status">
      <p>
        <strong>{blockedReason(plan)}</strong>{' '}
        {effect === 'wait' ? `The operation waits up to ${maxWait} for them.` : EFFECTS[effect]}
      </p>
      <OutageList hosts={hosts} />
      {exceedsMaxExcluded(plan) && (
        <p>
          To exclude {formatCount(hosts.length, 'host')}, “Max excluded” is raised from{' '}
          {formatAmount(policy.max_excluded, members)} to {hosts.length} for this operation.
        </p>
      )}
      <OutageActions>
        <Button size="small" isLoading={isLoading} onClick={() => onChange(exclude)}>
          Exclude {formatCount(hosts.length, 'host')}
        </Button>
        {raise !== undefined && (
          <Button size="small" isLoading={isLoading} onClick={() => onChange(raise)}>
            Raise the limit to {formatCount(raise.max_unavailable, 'host')}
          </Button>
        )}
        {wait !== undefined && !policy.wait && (
          <Button size="small" isLoading={isLoading} onClick={() => onChange(wait)}>
            Wait for {hosts.length === 1 ? 'this host' : 'these hosts'}
          </Button>
        )}
      </OutageActions>
    </Callout>
  );
}

function StartError({ error, cluster }: { readonly error: unknown; readonly cluster: string }) {
  const isRunning = error instanceof ApiError && error.problem.code === 'operation_running';
  const { data: running = [] } = useApiQuery(
    queryKeys.conflictingOperation(cluster),
    () => api.listOperations({ query: { cluster, status: 'in_process', limit: 1 } }),
    { enabled: isRunning },
  );
  return (
    <>
      <ErrorBox error={error} />
      {isRunning &&
        running.map(({ id, kind }) => (
          <p key={id}>
            <Link to="/operations/$id" params={{ id }}>
              View the running {kind}
            </Link>
          </p>
        ))}
    </>
  );
}

interface PreviewStepProps extends BlockedStartProps {
  readonly error: unknown;
  readonly isPreviewing: boolean;
  readonly onStart: () => void;
  readonly onBack: () => void;
}

const MAX_LISTED = 8;

function PlanWarnings({ plan }: { readonly plan: Plan }) {
  const warning = planWarning(plan);
  if (warning === '') return null;
  return (
    <div className={styles.warnings}>
      <p>
        <strong>{warning}:</strong>
      </p>
      <ul>
        {groupProblems(plan).map(({ problem: error, names }) => (
          <li key={error}>
            {truncateList(names, MAX_LISTED)}: {error}
          </li>
        ))}
      </ul>
    </div>
  );
}

const willNotRun = (plan: Plan): boolean =>
  ['fail', 'pause'].includes(blockedEffect(plan) ?? failureEffect(plan) ?? '');

export const PreviewStep = ({ plan, error, isLoading, isPreviewing, ...handlers }: PreviewStepProps) => (
  <div className={styles.step}>
    {plan.would_start && !plan.would_fail && <p className={styles.summary}>{describePlan(plan)}</p>}
    <p className={styles.note}>Review the plan. Nothing has started yet.</p>
    {plan.detail !== '' && (
      <div className={styles.warnings}>
        <p>{toSentence(plan.detail)}</p>
      </div>
    )}
    <BlockedStart plan={plan} isLoading={isPreviewing} onChange={handlers.onChange} />
    <PlanWarnings plan={plan} />
    <PlanHosts hosts={plan.hosts} />
    <details className={styles.policy}>
      <summary>
        <strong>Effective policy</strong>
      </summary>
      <PolicyList policy={plan.policy} />
    </details>
    <StartError error={error} cluster={plan.cluster} />
    <DialogActions>
      <Button onClick={handlers.onBack}>Back</Button>
      <Button variant={willNotRun(plan) ? 'plain' : 'primary'} isLoading={isLoading} onClick={handlers.onStart}>
        {startLabel(plan)}
      </Button>
    </DialogActions>
  </div>
);
