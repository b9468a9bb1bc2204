import type { HostPhase, OperationState, PauseReason } from '../domain/vocabulary.ts';
import type { OperationWait } from './operation-progress.ts';

export const PAUSE_TEXTS: Readonly<Record<PauseReason, string>> = {
  manual: 'paused by a user',
  failures: 'paused because hosts failed',
  window: 'paused until its time window opens',
  budget: 'paused because unavailable hosts use all slots',
  partitioned: 'paused because no server can reach most of its hosts',
};

/** What an operation that is paused by a partition waits for, and the effect of resuming it. */
export const PARTITION_ADVICE = [
  'it resumes by itself when the hosts respond again',
  'if you resume it now, you declare the outage real: hosts that do not respond become unreachable, and the budget applies to them',
] as const;

/** Why no further hosts start; empty if the operation only waits for running hosts. */
export function describeWait({ paused_by, state, problem }: OperationWait): string {
  if (paused_by !== null) return `${PAUSE_TEXTS[paused_by]}${problem === '' ? '' : `: ${problem}`}`;
  if (state === 'cancelling' && problem === '') return 'waiting for hosts in flight';
  return problem;
}

/** Whether `problem` of an operation names the hosts that the operation checks before it starts others. */
export const isCheckingHosts = (problem: string): boolean => problem.startsWith('checking ');

/** `completed with failures` if hosts failed; otherwise the state. */
export const operationStateText = (state: OperationState, { failed }: { readonly failed: number }): string =>
  state === 'finished' && failed > 0 ? 'completed with failures' : state;

const PHASE_ACTIONS: Partial<Record<HostPhase, string>> = {
  staging: 'stage',
  cordoning: 'cordon',
  draining: 'drain',
  applying: 'apply',
  armed: 'reboot',
  verifying: 'verify',
  uncordoning: 'uncordon',
};

export const summarizeActions = (commands: readonly { readonly phase: HostPhase }[]): string =>
  [...new Set(commands.map(({ phase }) => getPhaseAction(phase)))].join(', ') || 'nothing';

/** For example `reboot` for `armed`. */
export const getPhaseAction = (phase: HostPhase): string => PHASE_ACTIONS[phase] ?? phase;
