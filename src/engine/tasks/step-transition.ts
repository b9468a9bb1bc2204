import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import { backoffMs, isRetryExhausted } from '../../domain/tasks/retry-policy.ts';
import type { TaskState } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import type { Outcome, Step } from '../../procedures/step.ts';

export type StepTransition =
  | { readonly kind: 'next_step'; readonly state: TaskState; readonly hostUpdate: HostUpdate }
  /** `isNoop`: the remaining steps were not needed. */
  | {
      readonly kind: 'finished';
      readonly state: TaskState;
      readonly isNoop: boolean;
      readonly hostUpdate: HostUpdate;
    }
  | {
      readonly kind: 'wait';
      readonly state: TaskState;
      readonly delayMs: number;
      readonly isUnresponsive: boolean;
      readonly asksToReboot: boolean;
    }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly problem: ReasonText; readonly hostUpdate: HostUpdate };

interface StepRun {
  readonly state: TaskState;
  readonly step: Pick<Step, 'name' | 'retryPolicy'>;
  readonly isLastStep: boolean;
  readonly durationMs: number;
  readonly jitter: number;
  /** The server cannot reach most hosts, so time does not count toward the deadline. */
  readonly isPartitioned: boolean;
  /** Other hosts have responded since the host became silent, so the server has not lost its own network. */
  readonly isSilenceConfirmed: boolean;
}

export function nextTransition(outcome: Outcome, run: StepRun): StepTransition {
  const { state, step, isLastStep } = run;
  switch (outcome.kind) {
    case 'failed':
      return { kind: 'failed', problem: outcome.problem, hostUpdate: outcome.hostUpdate };
    case 'aborted':
      return { kind: 'aborted' };
    case 'noop':
      return { kind: 'finished', state, isNoop: true, hostUpdate: outcome.hostUpdate };
    case 'done': {
      const { hostUpdate, result } = outcome;
      const next = {
        ...INITIAL_TASK_STATE,
        done: { ...state.done, [step.name]: result },
        rollback: state.rollback,
      };
      return isLastStep
        ? { kind: 'finished', state: next, isNoop: false, hostUpdate }
        : { kind: 'next_step', state: next, hostUpdate };
    }
    case 'waiting':
      return waitTransition(outcome, run);
    case 'retry':
      return retryTransition(outcome, run);
  }
}

/** A waiting step has not failed, but its time counts toward the deadline. */
function waitTransition(
  { delayMs: delay, stepState, problem, problemAtDeadline }: Extract<Outcome, { kind: 'waiting' }>,
  { state, step, durationMs, isPartitioned }: StepRun,
): StepTransition {
  const spentMs = Math.round(state.retryTimeMs + (isPartitioned ? 0 : durationMs));
  if (isRetryExhausted(step.retryPolicy, spentMs))
    return { kind: 'failed', problem: problemAtDeadline, hostUpdate: {} };
  const delayMs = Math.ceil(delay);
  const waiting = {
    ...state,
    step: step.name,
    retryTimeMs: spentMs + (isPartitioned ? 0 : delayMs),
    problem,
    stepState,
  };
  return { kind: 'wait', state: waiting, delayMs, isUnresponsive: false, asksToReboot: false };
}

function retryTransition(
  { problem, restartsJobs, isUnresponsive, asksToReboot, stepState = {} }: Extract<Outcome, { kind: 'retry' }>,
  { state, step, durationMs, jitter, isPartitioned, isSilenceConfirmed }: StepRun,
): StepTransition {
  const attempts = state.attempts + 1;
  const jobRound = state.jobRound + (restartsJobs ? 1 : 0);
  const spentMs = Math.round(state.retryTimeMs + (isPartitioned ? 0 : durationMs));
  if (isRetryExhausted(step.retryPolicy, spentMs) && (!isUnresponsive || isSilenceConfirmed))
    return { kind: 'failed', problem, hostUpdate: {} };
  const delayMs = Math.round(backoffMs(step.retryPolicy, attempts, jitter));
  const retried = {
    ...state,
    step: step.name,
    attempts,
    jobRound,
    retryTimeMs: spentMs + (isPartitioned ? 0 : delayMs),
    problem,
    stepState,
  };
  return {
    kind: 'wait',
    state: retried,
    delayMs,
    isUnresponsive,
    asksToReboot: asksToReboot === true,
  };
}
