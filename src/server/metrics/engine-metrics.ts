import { isOperationOpen } from '../../domain/rollout/operation.ts';
import { HEALTH_CHECK_RESULTS, OPERATION_KINDS, OPERATION_STATES, TASK_KINDS } from '../../domain/vocabulary.ts';
import type { EngineMetrics } from '../../engine/ports.ts';
import { RUN_KINDS } from '../../engine/ports.ts';
import { JOB_RESULTS } from '../../procedures/jobs/job-poll.ts';
import type { Outcome } from '../../procedures/step.ts';
import { counter, gauge, histogram, LONG_BUCKETS } from './metric.ts';
import type { Registry } from './registry.ts';

/** `satisfies` makes a missing outcome a compile error. */
const STEP_OUTCOMES = Object.keys({ done: 0, retry: 0, waiting: 0, noop: 0, aborted: 0, failed: 0 } satisfies Readonly<
  Record<Outcome['kind'], 0>
>);
const ENDED_STATES = OPERATION_STATES.filter(state => !isOperationOpen({ state }));
const STEP_LABEL = { description: 'the name of a step, about 30 values' };

export const ENGINE_METRICS = {
  claims: counter('hostler_claims_total', 'Hosts that this server claimed for a task or a health check.', {
    kind: RUN_KINDS,
  }),
  activeRuns: gauge('hostler_active_runs', 'Hosts on which this server is running a task or a health check.', {
    kind: RUN_KINDS,
  }),
  claimsLost: counter(
    'hostler_claims_lost_total',
    'Host claims that this server lost to another server or with its lease.',
    { kind: RUN_KINDS },
  ),
  runErrors: counter(
    'hostler_run_errors_total',
    'Task runs and health checks that failed unexpectedly and are retried, usually because the store was unavailable.',
    { kind: RUN_KINDS },
  ),
  leasesLost: counter(
    'hostler_leases_lost_total',
    'Leases that this server lost. After each loss it continues with a new lease.',
  ),
  takeovers: counter(
    'hostler_takeovers_total',
    'Times that this server released the hosts of servers whose lease had expired.',
  ),
  steps: counter('hostler_task_steps_total', 'Attempts of task steps, by outcome. `retry`: the step is retried.', {
    task: TASK_KINDS,
    step: STEP_LABEL,
    outcome: STEP_OUTCOMES,
  }),
  stepDuration: histogram('hostler_task_step_duration_seconds', 'Duration of task steps.', LONG_BUCKETS, {
    task: TASK_KINDS,
    step: STEP_LABEL,
  }),
  jobs: counter(
    'hostler_jobs_total',
    'Jobs that ended on hosts, each counted once. `interrupted`: the job was killed, or the host rebooted.',
    { result: JOB_RESULTS },
  ),
  checks: counter('hostler_health_checks_total', 'Health checks, by result.', { result: HEALTH_CHECK_RESULTS }),
  checkDuration: histogram(
    'hostler_health_check_duration_seconds',
    'Duration of health checks, from the connection to the response.',
    LONG_BUCKETS,
  ),
  operationsEnded: counter(
    'hostler_operations_ended_total',
    'Ended operations, each counted by the server that ended it.',
    { kind: OPERATION_KINDS, state: ENDED_STATES },
  ),
};

export function createEngineMetrics(registry: Registry): EngineMetrics {
  const metrics = registry.create(ENGINE_METRICS);
  for (const kind of RUN_KINDS) metrics.activeRuns.set(0, kind);
  return {
    runStarted: kind => {
      metrics.claims.add(1, kind);
      metrics.activeRuns.add(1, kind);
    },
    runEnded: kind => metrics.activeRuns.add(-1, kind),
    claimLost: kind => metrics.claimsLost.add(1, kind),
    runErrored: kind => metrics.runErrors.add(1, kind),
    leaseLost: () => metrics.leasesLost.add(1),
    takeoverDone: () => metrics.takeovers.add(1),
    jobEnded: result => metrics.jobs.add(1, result),
    stepEnded: (task, step, outcome, seconds) => {
      metrics.steps.add(1, task, step, outcome);
      metrics.stepDuration.observe(seconds, task, step);
    },
    checkEnded: (result, seconds) => {
      metrics.checks.add(1, result);
      metrics.checkDuration.observe(seconds);
    },
    operationEnded: (kind, state) => metrics.operationsEnded.add(1, kind, state),
  };
}
