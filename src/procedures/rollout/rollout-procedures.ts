import type { TaskOf } from '../../domain/tasks/task.ts';
import type { Procedure } from '../step.ts';
import type { RolloutStep } from './abort-modes.ts';
import { abortModeOf } from './abort-modes.ts';
import { apply, relockDeployment } from './apply.ts';
import { cordon, drain, rollbackCordon, uncordon } from './drain.ts';
import { preflight } from './preflight.ts';
import { cancelReboot, planReboot, reboot, waitForReboot } from './reboot.ts';
import { stage } from './stage.ts';
import { verify } from './verify.ts';
import { isVerifyOnly } from './verify-only.ts';

/** Steps before a host has a slot. They do not disrupt the host. */
export const stageProcedure = (task: TaskOf<'stage'>): Procedure<TaskOf<'stage'>> => ({
  kind: 'stage',
  steps: [preflight(task), ...(task.operationKind === 'restart' ? [] : [stage(task)])],
  needsHost: true,
  failureTrigger: null,
});

const STEPS_BEFORE_CHANGES: readonly string[] = ['cordon', 'drain'] satisfies RolloutStep[];
/** Steps during which any boot can activate the applied changes. */
const STEPS_WITH_PENDING_CHANGES: readonly string[] = [
  'apply',
  'plan_reboot',
  'reboot',
  'wait_for_reboot',
] satisfies RolloutStep[];
/**
 * A failure in these steps would probably occur on the next host, too: a bad version, a package that cannot
 * be installed, a boot that does not complete.
 */
const SYSTEMIC_STEPS: readonly string[] = [
  'apply',
  'reboot',
  'wait_for_reboot',
  'verify',
  'uncordon',
] satisfies RolloutStep[];

export function rolloutProcedure(task: TaskOf<'rollout'>): Procedure<TaskOf<'rollout'>> {
  const { operationKind, policy, stageResult } = task;
  const isDrained = policy.drain !== null;
  const isApplied = operationKind !== 'restart';
  // An earlier attempt has changed the host but not verified it.
  const verifiesOnly = isVerifyOnly(stageResult);
  const disruptiveSteps = [
    ...(isDrained ? [drain] : []),
    ...(isApplied ? [apply] : []),
    planReboot,
    reboot,
    waitForReboot,
  ];
  return {
    kind: 'rollout',
    steps: [
      ...(isDrained ? [cordon(task)] : []),
      ...(verifiesOnly ? [] : disruptiveSteps.map(step => step(task))),
      verify(task),
      ...(isDrained ? [uncordon(task)] : []),
    ],
    needsHost: true,
    failureTrigger: null,
    abortModeOf: (step, abortReason) => abortModeOf(operationKind, step, abortReason),
    // A host that is not verified stays cordoned, and its operation record says so.
    rollbackSteps: ({ fromStep, reason }) => {
      const isUnchanged = STEPS_BEFORE_CHANGES.includes(fromStep) || (fromStep === 'plan_reboot' && !isApplied);
      const isRebootCancelled = typeof reason === 'string' && fromStep === 'reboot' && !isApplied;
      return [
        ...(fromStep === 'reboot' ? [cancelReboot] : []),
        ...(isApplied && STEPS_WITH_PENDING_CHANGES.includes(fromStep) ? [relockDeployment(fromStep)] : []),
        ...(isDrained && (isUnchanged || isRebootCancelled) ? [rollbackCordon(task)] : []),
      ];
    },
    isSystemicFailure: step => SYSTEMIC_STEPS.includes(step) || (step === 'plan_reboot' && isApplied),
  };
}
