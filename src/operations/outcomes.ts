import type { Argv } from '../domain/command.ts';
import type { Learned } from '../domain/hosts/learned.ts';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Progress, StepResult } from '../domain/work/work.ts';
import { messageOf } from '../lib/errors/message-of.ts';
import { lastLine } from '../lib/text/harmless.ts';
import type { JobResult } from './jobs/run-job.ts';
import { LONG_ENOUGH_MS } from './patience.ts';
import { programOf } from './program-of.ts';
import type { ScriptError } from './script-error.ts';
import type { Outcome } from './step.ts';

export const done = (result: StepResult = {}, learned: Learned = {}): Outcome => ({
  kind: 'done',
  result,
  learned,
});

type Again = Extract<Outcome, { kind: 'retry' }>;

export const again = (
  problem: ReasonText,
  more: Partial<Pick<Again, 'isSilence' | 'notes'>> = {},
): Again => ({
  kind: 'retry',
  problem,
  isRoundOver: false,
  isSilence: false,
  ...more,
});

/** The same, and what was begun on the host has come to its end: the next try begins it anew. */
export const againAnew = (problem: ReasonText): Outcome => ({ ...again(problem), isRoundOver: true });

/** The budget does not allow the host to be rebooted now, or other members have to be checked first. */
export const askToReboot: Outcome = {
  ...again('not_cleared: waiting for permission to reboot; see the problem of the operation'),
  asksToReboot: true,
};

export const waiting = (
  pauseMs: number,
  notes: StepResult,
  {
    problem = '',
    problemAtDeadline,
  }: { readonly problem?: ReasonText | ''; readonly problemAtDeadline: ReasonText },
): Outcome => ({ kind: 'waiting', pauseMs, notes, problem, problemAtDeadline });

export const settled = (learned: Learned = {}): Outcome => ({ kind: 'noop', learned });

export const withdrawn: Outcome = { kind: 'aborted' };

export type Failed = Extract<Outcome, { kind: 'failed' }>;

export const failed = (problem: ReasonText, learned: Learned = {}): Failed => ({
  kind: 'failed',
  problem,
  learned,
});

/** What it means for a step that the host could not be spoken to. */
export function afterFailure(failure: TransportFailure): Outcome {
  const { isWorthRetrying, isSilence } = failure;
  if (isWorthRetrying) return again(failure.toString(), { isSilence });
  return failed(failure.toString(), failure.kind === 'host_key_changed' ? distrust(failure) : {});
}

/** What is learnt from a host that shows another key. */
export const distrust = ({ offeredKey }: TransportFailure): Learned => ({
  cause: 'distrusted',
  ...(offeredKey !== undefined && { offeredKey }),
});

/** What follows from what a server of another system answers; one that is away is asked again. */
const asking =
  (what: 'container_manager' | 'network') =>
  async (ask: () => Promise<Outcome>): Promise<Outcome> => {
    try {
      return await ask();
    } catch (error) {
      return again(`${what}: ${messageOf(error)}`);
    }
  };

export const askManager = asking('container_manager');
export const askNetwork = asking('network');

/** For a host that is ready: it stays so, and says what it waits for. */
export const neverGivingUp = (outcome: Outcome): Outcome =>
  outcome.kind === 'failed' && outcome.learned.cause === undefined ? again(outcome.problem) : outcome;

/** For what is not worth more than some patience: what comes of it when that is over, or when it will never succeed. */
export const onceOutOfPatience = (
  outcome: Outcome,
  { spentMs }: Pick<Progress, 'spentMs'>,
  instead: Outcome,
): Outcome =>
  outcome.kind === 'failed' || (outcome.kind === 'retry' && spentMs >= LONG_ENOUGH_MS) ? instead : outcome;

/** What follows from an error that a script reported from the host. */
export type OnScriptError = (error: ScriptError) => Outcome;

/** In an operation: a person has to repair the host, and other hosts wait for its slot. */
export const failOnScriptError: OnScriptError = error => failed(error.toString());

/** In a bootstrap, or while a host reboots: the cause can go away by itself. */
export const retryOnScriptError: OnScriptError = error => again(error.toString());

/** What it means for a step how one of its jobs went; `undefined`: all is well. */
export function afterJob(
  argv: Argv,
  result: JobResult | TransportFailure,
  onScriptError: OnScriptError = failOnScriptError,
): Outcome | undefined {
  const program = programOf(argv);
  if (result instanceof TransportFailure) return afterFailure(result);
  const quoted = (bytes: Uint8Array) => lastLine(bytes) && `: ${lastLine(bytes)}`;
  switch (result.kind) {
    case 'ended': {
      const { exitCode, output } = result;
      // Perhaps the mirror was away, or another had the lock.
      return exitCode === 0
        ? undefined
        : againAnew(`command_failed: ${program} exited with ${exitCode}${quoted(output)}`);
    }
    case 'interrupted':
      return againAnew(`command_interrupted: ${program} was killed${quoted(result.output)}`);
    case 'still running':
      return again(
        `still_running: ${program} exceeded its timeout and is still running${quoted(result.output)}`,
      );
    case 'not started': {
      const { exitCode, stderr } = result.ran;
      return again(`not_started: ${program} could not be started (${exitCode})${quoted(stderr)}`);
    }
    case 'script error':
      return onScriptError(result.error);
    case 'forgotten':
      return again(`command_interrupted: the host rebooted while ${program} ran`);
    case 'unreadable':
      return again(`unexpected_output: cannot parse the job state of ${program}`);
  }
}
