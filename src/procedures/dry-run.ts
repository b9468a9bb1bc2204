// Uses the same steps and drivers as the task itself and contacts no host. Unknown values are in angle brackets.

import type { Argv } from '../domain/command.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { ReasonText } from '../domain/hosts/reason-text.ts';
import type { DryRunCommand, DryRunInput, HostDryRun } from '../domain/rollout/dry-run.ts';
import type { MemberRecord } from '../domain/rollout/outage.ts';
import { isIneligible } from '../domain/rollout/snapshot.ts';
import type { TaskOf } from '../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../domain/tasks/task.ts';
import type { OsDriver, OsRegistry } from '../drivers/os/os-driver.ts';
import { findOsDriver, UNSUPPORTED_OS } from './query-host.ts';
import { REBOOT_DEADLINE_S } from './reboot/reboot-guard.ts';
import { rebootArgv } from './reboot/reboot-scripts.ts';
import { applyCommands } from './rollout/apply.ts';
import { checkTarget, finalizeCommands } from './rollout/deployment.ts';
import { checkBootstrapped, RUNS_HOSTLER_SERVER } from './rollout/preflight-and-verify.ts';
import { rolloutProcedure, stageProcedure } from './rollout/rollout-procedures.ts';
import { stageCommands } from './rollout/stage.ts';
import { pendingSteps } from './step.ts';

type RolloutTask = TaskOf<'rollout'>;
type StepCommand = Pick<DryRunCommand, 'argv' | 'detail'>;

const hostCommand = (argv: Argv): StepCommand => ({ detail: '', argv });
const managerCall = (detail: string): readonly StepCommand[] => [{ detail, argv: null }];

const STAGED_PLACEHOLDERS = { version: '<staged version>', checksum: '<staged checksum>', image: '<staged image>' };

function describeDrain({ policy: { drain } }: RolloutTask): string {
  const { timeoutS, onTimeout } = drain ?? { timeoutS: 0, onTimeout: 'fail' };
  const duration = timeoutS > 0 && timeoutS % 60 === 0 ? `${timeoutS / 60}m` : `${timeoutS}s`;
  return onTimeout === 'force'
    ? `the container manager drains the node; after ${duration}, the remaining workloads are removed by force`
    : `the container manager drains the node; the host fails if this takes longer than ${duration}`;
}

function rebootCommands(driver: OsDriver, task: RolloutTask, { bootId }: Host): readonly StepCommand[] {
  const { reboot: mode } = task.policy;
  if (mode === 'never') return [];
  const boot = bootId || '<boot id>';
  const placeholders = {
    name: `reboot_<operation>_1_${boot}`,
    bootId: boot,
    deadline: `<uptime in seconds + ${REBOOT_DEADLINE_S}>`,
  };
  const argv = rebootArgv(placeholders, finalizeCommands(driver, task).customRebootArgv);
  return [{ detail: mode === 'if_needed' ? 'only if the host needs a reboot' : '', argv }];
}

/** Steps that only query the host are not listed. */
const STEP_COMMANDS: Readonly<
  Record<string, (driver: OsDriver, task: RolloutTask, host: Host) => readonly StepCommand[]>
> = {
  stage: (driver, task) => (stageCommands(driver, task) ?? []).map(hostCommand),
  cordon: () => managerCall('the container manager stops scheduling workloads on the node'),
  drain: (_driver, task) => managerCall(describeDrain(task)),
  apply: (driver, task) => applyCommands(driver, task).map(hostCommand),
  reboot: rebootCommands,
  verify: (_driver, { policy: { check } }) => (check ? [hostCommand(check)] : []),
  uncordon: () =>
    managerCall('the container manager schedules workloads on the node again, unless someone else cordoned it'),
};

const buildDryRunTask = (host: Host, { kind, ...plan }: DryRunInput): RolloutTask => ({
  kind: 'rollout',
  host: host.address,
  enrolment: host.enrolment,
  operation: '<operation>',
  attempt: 1,
  operationKind: kind,
  cluster: plan.cluster,
  version: plan.version,
  policy: plan.policy,
  stageResult: STAGED_PLACEHOLDERS,
});

function findWaitReason(state: MemberRecord): ReasonText | undefined {
  if (state.isInMaintenance) return 'in_maintenance: operations do not change the host until its maintenance ends';
  if (isIneligible(state)) return 'bootstrap_pending: operations do not change the host until its bootstrap ends';
  return undefined;
}

function findPreflightFailure(host: Host, driver: OsDriver | undefined, plan: DryRunInput): ReasonText | undefined {
  const notReady = checkBootstrapped(host);
  if (notReady) return notReady.problem;
  if (plan.serverBootIds.includes(host.bootId)) return RUNS_HOSTLER_SERVER.problem;
  if (driver === undefined) return UNSUPPORTED_OS.problem;
  return plan.kind === 'deploy' ? checkTarget(driver, plan.version)?.problem : undefined;
}

export const createDryRun =
  (os: OsRegistry) =>
  (host: Host, plan: DryRunInput, state: MemberRecord): HostDryRun => {
    const waitReason = findWaitReason(state);
    if (waitReason !== undefined) return { commands: [], problem: waitReason, isExpectedToFail: false };
    const driver = findOsDriver({ os }, host);
    const failure = findPreflightFailure(host, driver, plan);
    if (failure !== undefined || driver === undefined)
      return { commands: [], problem: failure ?? UNSUPPORTED_OS.problem, isExpectedToFail: true };
    const task = buildDryRunTask(host, plan);
    const stageSteps = pendingSteps(stageProcedure.steps, { ...task, kind: 'stage' }, INITIAL_TASK_STATE);
    const rolloutSteps = pendingSteps(rolloutProcedure.steps, task, INITIAL_TASK_STATE);
    const commands = [...stageSteps, ...rolloutSteps].flatMap(({ name: step, phase = 'pending' }) =>
      (STEP_COMMANDS[step]?.(driver, task, host) ?? []).map(command => ({ step, phase, ...command })),
    );
    return { commands, problem: '', isExpectedToFail: false };
  };
