import { isOpen } from '../../domain/rolling/operation.ts';
import { CHECK_RESULTS, OPERATION_KINDS, OPERATION_STATES, WORK_KINDS } from '../../domain/vocabulary.ts';
import type { EngineMeter } from '../../engine/meter.ts';
import { TURN_KINDS } from '../../engine/shares.ts';
import { JOB_RESULTS } from '../../operations/jobs/job-end.ts';
import type { Outcome } from '../../operations/step.ts';
import { counter, gauge, histogram, LONG_S } from './metric.ts';
import type { Registry } from './registry.ts';

/** The compiler knows when one is missing. */
const OUTCOMES = Object.keys({
  ...{ done: 0, again: 0, waiting: 0, settled: 0, withdrawn: 0, failed: 0 },
} satisfies Readonly<Record<Outcome['kind'], 0>>);
const ENDED_STATES = OPERATION_STATES.filter(state => !isOpen({ state }));
const STEP_LABEL = { bound: 'the name of a step, about 30' };

export const ENGINE_METRICS = {
  claims: counter('hostler_claims_total', 'Hosts that this server claimed, for work or for a check.', {
    kind: TURN_KINDS,
  }),
  turns: gauge('hostler_turns', 'Hosts that this server has in hand now.', { kind: TURN_KINDS }),
  claimsLost: counter(
    'hostler_claims_lost_total',
    'Hosts that this server had in hand and lost, since others may have taken over.',
    { kind: TURN_KINDS },
  ),
  turnsBroken: counter(
    'hostler_turns_broken_total',
    'Turns at a host that broke and are tried again, most often since the store was away.',
    { kind: TURN_KINDS },
  ),
  leasesLost: counter(
    'hostler_leases_lost_total',
    'How often this server lost its lease and began anew under another name.',
  ),
  takeovers: counter('hostler_takeovers_total', 'How often this server freed what others had left behind.'),
  steps: counter('hostler_work_steps_total', 'Steps of work that were tried; `again`: they are retried.', {
    work: WORK_KINDS,
    step: STEP_LABEL,
    outcome: OUTCOMES,
  }),
  stepDuration: histogram('hostler_work_step_duration_seconds', 'How long steps of work took.', LONG_S, {
    work: WORK_KINDS,
    step: STEP_LABEL,
  }),
  jobs: counter(
    'hostler_jobs_total',
    'Commands that ran on hosts as jobs and ended, each once; `lost`: it was killed, or the host was booted.',
    { result: JOB_RESULTS },
  ),
  checks: counter('hostler_checks_total', 'Checks of hosts.', { result: CHECK_RESULTS }),
  checkDuration: histogram(
    'hostler_check_duration_seconds',
    'How long checks took, from the connection to the answer.',
    LONG_S,
  ),
  operationsEnded: counter('hostler_operations_ended_total', 'Operations that this server saw end.', {
    kind: OPERATION_KINDS,
    state: ENDED_STATES,
  }),
};

export function engineMeter(registry: Registry): EngineMeter {
  const claims = registry.counter(ENGINE_METRICS.claims);
  const turns = registry.gauge(ENGINE_METRICS.turns);
  const claimsLost = registry.counter(ENGINE_METRICS.claimsLost);
  const turnsBroken = registry.counter(ENGINE_METRICS.turnsBroken);
  const leasesLost = registry.counter(ENGINE_METRICS.leasesLost);
  const takeovers = registry.counter(ENGINE_METRICS.takeovers);
  const steps = registry.counter(ENGINE_METRICS.steps);
  const stepDuration = registry.histogram(ENGINE_METRICS.stepDuration);
  const jobs = registry.counter(ENGINE_METRICS.jobs);
  const checks = registry.counter(ENGINE_METRICS.checks);
  const checkDuration = registry.histogram(ENGINE_METRICS.checkDuration);
  const operationsEnded = registry.counter(ENGINE_METRICS.operationsEnded);
  for (const kind of TURN_KINDS) turns.set(0, kind);
  return {
    turnBegan: kind => {
      claims.add(1, kind);
      turns.add(1, kind);
    },
    turnEnded: kind => turns.add(-1, kind),
    claimLost: kind => claimsLost.add(1, kind),
    turnBroke: kind => turnsBroken.add(1, kind),
    leaseLost: () => leasesLost.add(1),
    tookOver: () => takeovers.add(1),
    jobEnded: result => jobs.add(1, result),
    stepEnded: (work, step, outcome, seconds) => {
      steps.add(1, work, step, outcome);
      stepDuration.observe(seconds, work, step);
    },
    checkEnded: (result, seconds) => {
      checks.add(1, result);
      checkDuration.observe(seconds);
    },
    operationEnded: (kind, state) => operationsEnded.add(1, kind, state),
  };
}
