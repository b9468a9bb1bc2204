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

/** The same, and what was begun on the host has come to its end: the next try begins it anew. */
export const retryWithNewJobs = (problem: ReasonText): Outcome => ({ ...retry(problem), restartsJobs: true });

/** The budget does not allow the host to be rebooted now, or other members have to be checked first. */
export const askToReboot: Outcome = {
  ...retry('not_cleared: waiting for permission to reboot; see the problem of the operation'),
  asksToReboot: true,
};

export const waiting = (
  delayMs: number,
  stepState: StepResult,
  {
    problem = '',
    problemAtDeadline,
  }: { readonly problem?: ReasonText | ''; readonly problemAtDeadline: ReasonText },
): Outcome => ({ kind: 'waiting', delayMs, stepState, problem, problemAtDeadline });

export const noop = (hostUpdate: HostUpdate = {}): Outcome => ({ kind: 'noop', hostUpdate });

export const aborted: Outcome = { kind: 'aborted' };

export type Failed = Extract<Outcome, { kind: 'failed' }>;

export const failed = (problem: ReasonText, hostUpdate: HostUpdate = {}): Failed => ({
  kind: 'failed',
  problem,
  hostUpdate,
});

/** What it means for a step that the host could not be spoken to. */
export function fromTransportFailure(failure: TransportFailure): Outcome {
  const { isRetryable, isUnresponsive } = failure;
  if (isRetryable) return retry(failure.toString(), { isUnresponsive });
  return failed(failure.toString(), failure.kind === 'host_key_changed' ? hostKeyChangedUpdate(failure) : {});
}

/** What is learnt from a host that shows another key. */
export const hostKeyChangedUpdate = ({ presentedKey }: TransportFailure): HostUpdate => ({
  trigger: 'host_key_changed',
  ...(presentedKey !== undefined && { pendingHostKey: presentedKey }),
});

/** What follows from what a server of another system answers; one that is away is asked again. */
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

/** For a host that is ready: it stays so, and says what it waits for. */
export const retryInsteadOfFailing = (outcome: Outcome): Outcome =>
  outcome.kind === 'failed' && outcome.hostUpdate.trigger === undefined ? retry(outcome.problem) : outcome;

/** For what is not worth more than some patience: what comes of it when that is over, or when it will never succeed. */
export const fallbackWhenExhausted = (
  outcome: Outcome,
  { retryTimeMs }: Pick<TaskState, 'retryTimeMs'>,
  fallback: Outcome,
): Outcome =>
  outcome.kind === 'failed' || (outcome.kind === 'retry' && retryTimeMs >= FORMER_HOST_TIMEOUT_MS)
    ? fallback
    : outcome;

/** What follows from an error that a script reported from the host. */
export type OnScriptError = (error: ScriptError) => Outcome;

/** In an operation: a person has to repair the host, and other hosts wait for its slot. */
export const failOnScriptError: OnScriptError = error => failed(error.toString());

/** In a bootstrap, or while a host reboots: the cause can go away by itself. */
export const retryOnScriptError: OnScriptError = error => retry(error.toString());

/** What it means for a step how one of its jobs went; `undefined`: all is well. */
export function fromJobResult(
  argv: Argv,
  result: JobResult | TransportFailure,
  onScriptError: OnScriptError = failOnScriptError,
): Outcome | undefined {
  const program = executableName(argv);
  if (result instanceof TransportFailure) return fromTransportFailure(result);
  const quoted = (bytes: Uint8Array) => lastLine(bytes) && `: ${lastLine(bytes)}`;
  switch (result.kind) {
    case 'ended': {
      const { exitCode, output } = result;
      // Perhaps the mirror was away, or another had the lock.
      return exitCode === 0
        ? undefined
        : retryWithNewJobs(`command_failed: ${program} exited with ${exitCode}${quoted(output)}`);
    }
    case 'interrupted':
      return retryWithNewJobs(`command_interrupted: ${program} was killed${quoted(result.output)}`);
    case 'still_running':
      return retry(
        `still_running: ${program} exceeded its timeout and is still running${quoted(result.output)}`,
      );
    case 'not_started': {
      const { exitCode, stderr } = result.commandResult;
      return retry(`not_started: ${program} could not be started (${exitCode})${quoted(stderr)}`);
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
 * What it means that a host which boots cannot be spoken to: nothing yet. sshd may be up before anybody is let in, as pam_nologin has it. But one
 * that shows another key is another host.
 */
export const retryWhileBooting = (failure: TransportFailure): Outcome =>
  failure.kind === 'host_key_changed'
    ? fromTransportFailure(failure)
    : retry(failure.toString(), { isUnresponsive: failure.isUnresponsive });

/** What ends badly so often in a row will not end well: a mirror that is away for a moment is tried again, a version that does not exist is not. */
const MAX_JOB_ROUNDS = 3;

/** What follows when commands did not succeed: they are begun anew a few times, and no more. */
export function failAfterMaxRounds(
  { state }: Pick<StepContext, 'state'>,
  problem: Outcome | undefined,
): Outcome | undefined {
  if (problem?.kind !== 'retry' || !problem.restartsJobs || state.jobRound + 1 < MAX_JOB_ROUNDS)
    return problem;
  return failed(problem.problem);
}
