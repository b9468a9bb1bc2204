import type { Argv } from '../domain/command.ts';
import { executableName } from '../domain/command.ts';
import type { HostUpdate } from '../domain/hosts/host-status.ts';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { StepResult, TaskState } from '../domain/tasks/task.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import { errorMessage } from '../lib/errors.ts';
import { lastLine } from '../lib/sanitize.ts';
import type { JobResult } from './jobs/run-job.ts';
import { FORMER_HOST_TIMEOUT_MS } from './retry-policies.ts';
import type { ScriptError } from './script-error.ts';
import type { Outcome, StepContext } from './step.ts';

export const done = (result: StepResult = {}, hostUpdate: HostUpdate = {}): Outcome => ({
  kind: 'done',
  result,
  hostUpdate,
});

type Retry = Extract<Outcome, { kind: 'retry' }>;

export const retry = (
  problem: ReasonText,
  options: Partial<Pick<Retry, 'isUnresponsive' | 'stepState'>> = {},
): Retry => ({
  kind: 'retry',
  problem,
  restartsJobs: false,
  isUnresponsive: false,
  ...options,
});

/** A job on the host has ended, so the next attempt starts new jobs. */
export const retryWithNewJobs = (problem: ReasonText): Outcome => ({ ...retry(problem), restartsJobs: true });

/** The budget does not allow a reboot now, or other members must be checked first. */
export const askToReboot: Outcome = {
  ...retry('not_cleared: waiting for permission to reboot; see the problem of the operation'),
  asksToReboot: true,
};

export const waiting = (
  delayMs: number,
  stepState: StepResult,
  { problem = '', problemAtDeadline }: { readonly problem?: ReasonText | ''; readonly problemAtDeadline: ReasonText },
): Outcome => ({ kind: 'waiting', delayMs, stepState, problem, problemAtDeadline });

export const noop = (hostUpdate: HostUpdate = {}): Outcome => ({ kind: 'noop', hostUpdate });

export const aborted: Outcome = { kind: 'aborted' };

export type Failed = Extract<Outcome, { kind: 'failed' }>;

export const failed = (problem: ReasonText, hostUpdate: HostUpdate = {}): Failed => ({
  kind: 'failed',
  problem,
  hostUpdate,
});

export function fromTransportFailure(failure: TransportFailure): Outcome {
  const { isRetryable, isUnresponsive } = failure;
  if (isRetryable) return retry(failure.toString(), { isUnresponsive });
  return failed(failure.toString(), failure.kind === 'host_key_changed' ? hostKeyChangedUpdate(failure) : {});
}

export const hostKeyChangedUpdate = ({ presentedKey }: TransportFailure): HostUpdate => ({
  trigger: 'host_key_changed',
  ...(presentedKey !== undefined && { pendingHostKey: presentedKey }),
});

const retryOnError =
  (system: 'container_manager' | 'network') =>
  async (call: () => Promise<Outcome>): Promise<Outcome> => {
    try {
      return await call();
    } catch (error) {
      return retry(`${system}: ${errorMessage(error)}`);
    }
  };

export const callManager = retryOnError('container_manager');
export const callNetwork = retryOnError('network');

/** For a host that is ready: the host keeps its status and the task keeps retrying. */
export const retryInsteadOfFailing = (outcome: Outcome): Outcome =>
  outcome.kind === 'failed' && outcome.hostUpdate.trigger === undefined ? retry(outcome.problem) : outcome;

/**
 * For steps that may be skipped: returns `fallback` after a permanent failure or when the retry time is used
 * up.
 */
export const fallbackWhenExhausted = (
  outcome: Outcome,
  { retryTimeMs }: Pick<TaskState, 'retryTimeMs'>,
  fallback: Outcome,
): Outcome =>
  outcome.kind === 'failed' || (outcome.kind === 'retry' && retryTimeMs >= FORMER_HOST_TIMEOUT_MS) ? fallback : outcome;

export type OnScriptError = (error: ScriptError) => Outcome;

/** In an operation: an administrator must repair the host, and other hosts wait for its slot. */
export const failOnScriptError: OnScriptError = error => failed(error.toString());

/** In a bootstrap or during a reboot, the cause can disappear without intervention. */
export const retryOnScriptError: OnScriptError = error => retry(error.toString());

export function fromJobResult(
  argv: Argv,
  result: JobResult | TransportFailure,
  onScriptError: OnScriptError = failOnScriptError,
): Outcome | undefined {
  const program = executableName(argv);
  if (result instanceof TransportFailure) return fromTransportFailure(result);
  const quoteSuffix = (bytes: Uint8Array) => lastLine(bytes) && `: ${lastLine(bytes)}`;
  switch (result.kind) {
    case 'ended': {
      const { exitCode, output } = result;
      // Retried, because a mirror can be unavailable or another process can hold the package lock.
      return exitCode === 0
        ? undefined
        : retryWithNewJobs(`command_failed: ${program} exited with ${exitCode}${quoteSuffix(output)}`);
    }
    case 'interrupted':
      return retryWithNewJobs(`command_interrupted: ${program} was killed${quoteSuffix(result.output)}`);
    case 'still_running':
      return retry(`still_running: ${program} exceeded its timeout and is still running${quoteSuffix(result.output)}`);
    case 'not_started': {
      const { exitCode, stderr } = result.commandResult;
      return retry(`not_started: ${program} could not be started (${exitCode})${quoteSuffix(stderr)}`);
    }
    case 'script_error':
      return onScriptError(result.error);
    case 'unknown_to_host':
      return retry(`command_interrupted: the host rebooted while ${program} ran`);
    case 'unreadable':
      return retry(`unexpected_output: cannot parse the job state of ${program}`);
  }
}

/**
 * Every failure of a booting host is retried, even a rejected login: sshd can start before pam_nologin allows
 * logins. Only a changed host key fails, because it means another host.
 */
export const retryWhileBooting = (failure: TransportFailure): Outcome =>
  failure.kind === 'host_key_changed'
    ? fromTransportFailure(failure)
    : retry(failure.toString(), { isUnresponsive: failure.isUnresponsive });

/**
 * Three rounds cover a mirror that is briefly unavailable. A version that does not exist fails in every
 * round.
 */
const MAX_JOB_ROUNDS = 3;

export function failAfterMaxRounds(
  { state }: Pick<StepContext, 'state'>,
  problem: Outcome | undefined,
): Outcome | undefined {
  if (problem?.kind !== 'retry' || !problem.restartsJobs || state.jobRound + 1 < MAX_JOB_ROUNDS) return problem;
  return failed(problem.problem);
}
