import type { Argv, CommandResult } from '../domain/command.ts';
import { EXIT_PERMANENT_FAILURE, executableName } from '../domain/command.ts';
import type { HostUpdate } from '../domain/hosts/host-status.ts';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { StepResult } from '../domain/tasks/task.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import { errorMessage } from '../lib/errors.ts';
import { lastLine } from '../lib/sanitize.ts';
import type { JobResult } from './jobs/run-job.ts';
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
): Retry => ({ kind: 'retry', problem, restartsJobs: false, isUnresponsive: false, ...options });

export const retryWithNewJobs = (problem: ReasonText): Outcome => ({ ...retry(problem), restartsJobs: true });

export const awaitRebootClearance: Outcome = {
  ...retry('not_cleared: waiting for permission to reboot; see the problem of the operation'),
  awaitsRebootClearance: true,
};

export const waiting = (
  delayMs: number,
  stepState: StepResult,
  { problem = '', problemAtDeadline }: { readonly problem?: ReasonText | ''; readonly problemAtDeadline: ReasonText },
): Outcome => ({ kind: 'waiting', delayMs, stepState, problem, problemAtDeadline });

export const noop = (hostUpdate: HostUpdate = {}): Outcome => ({ kind: 'noop', hostUpdate });

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

export async function retryOnError(
  system: 'container_manager' | 'network',
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await call();
  } catch (error) {
    return retry(`${system}: ${errorMessage(error)}`);
  }
}

/** For steps with `onExhausted: 'keep_retrying'`. A retry runs the commands again: the job of the failed ones has ended. */
export const retryInsteadOfFailing = (outcome: Outcome): Outcome =>
  outcome.kind === 'failed' && outcome.hostUpdate.trigger === undefined ? retryWithNewJobs(outcome.problem) : outcome;

export type OnScriptError = (error: ScriptError) => Outcome;

/** In an operation: an administrator must repair the host, and other hosts wait for its slot. */
export const failOnScriptError: OnScriptError = error => failed(error.toString());

/** In a bootstrap or during a reboot, the cause can disappear without intervention. */
export const retryOnScriptError: OnScriptError = error => retry(error.toString());

const quoteSuffix = (line: string) => line && `: ${line}`;

export const describeExit = ({ exitCode, stdout, stderr }: CommandResult): string =>
  `exited with ${exitCode}${quoteSuffix(lastLine(stderr) || lastLine(stdout))}`;

export function fromJobResult(
  argv: Argv,
  result: JobResult | TransportFailure,
  onScriptError: OnScriptError = failOnScriptError,
): Outcome | undefined {
  const program = executableName(argv);
  if (result instanceof TransportFailure) return fromTransportFailure(result);
  switch (result.kind) {
    case 'ended': {
      const { exitCode } = result;
      const line = lastLine(result.output);
      if (exitCode === 0) return undefined;
      if (exitCode === EXIT_PERMANENT_FAILURE) return failed(`permanent_failure: ${line}`);
      // Retried, because a mirror can be unavailable or another process can hold the package lock.
      return retryWithNewJobs(`command_failed: ${program} exited with ${exitCode}${quoteSuffix(line)}`);
    }
    case 'interrupted':
      return retryWithNewJobs(`command_interrupted: ${program} was killed${quoteSuffix(lastLine(result.output))}`);
    case 'still_running': {
      const quote = quoteSuffix(lastLine(result.output));
      return retry(`still_running: ${program} exceeded its timeout and is still running${quote}`);
    }
    case 'not_started': {
      const { exitCode, stderr } = result.commandResult;
      return retry(`not_started: ${program} could not be started (${exitCode})${quoteSuffix(lastLine(stderr))}`);
    }
    case 'script_error':
      return onScriptError(result.error);
    case 'unknown_to_host':
      return retry(`command_interrupted: the host rebooted while ${program} ran`);
    case 'unreadable':
      return retry(`unexpected_output: cannot parse the job state of ${program}`);
  }
}

/** sshd can start before pam_nologin allows logins. A changed host key means another host. */
export const retryWhileBooting = (failure: TransportFailure): Outcome =>
  failure.kind === 'host_key_changed'
    ? fromTransportFailure(failure)
    : retry(failure.toString(), { isUnresponsive: failure.isUnresponsive });

/** Three rounds cover a mirror that is briefly unavailable. */
const MAX_JOB_ROUNDS = 3;

export function failAfterMaxRounds(
  { state }: Pick<StepContext, 'state'>,
  outcome: Outcome | undefined,
): Outcome | undefined {
  if (outcome?.kind !== 'retry' || !outcome.restartsJobs || state.jobRound + 1 < MAX_JOB_ROUNDS) return outcome;
  return failed(outcome.problem);
}
