import type { TaskOf } from '../../domain/tasks/task.ts';
import type { Procedure } from '../step.ts';
import type { RolloutStep } from './abort-modes.ts';
import { abortModeOf } from './abort-modes.ts';
import { appliesChanges, apply, relockDeployment } from './apply.ts';
import { cordon, drain, rollbackCordon, uncordon } from './drain.ts';
import { preflight, verify } from './preflight-and-verify.ts';
import { cancelReboot, planReboot, reboot, waitForReboot } from './reboot.ts';
import { stage } from './stage.ts';

/** Must not disrupt the host, which has no slot yet. */
export const stageProcedure: Procedure<TaskOf<'stage'>> = {
  steps: [preflight, stage],
  needsHost: true,
  failureTrigger: null,
};

const STEPS_BEFORE_CHANGES: readonly string[] = ['cordon', 'drain'] satisfies RolloutStep[];
/** Steps during which any boot can activate the applied changes. */
const STEPS_WITH_PENDING_CHANGES: readonly string[] = [
  'apply',
  'plan_reboot',
  'reboot',
  'wait_for_reboot',
] satisfies RolloutStep[];
const SYSTEMIC_STEPS: readonly string[] = [
  'apply',
  'reboot',
  'wait_for_reboot',
  'verify',
  'uncordon',
] satisfies RolloutStep[];

export const rolloutProcedure = {
  steps: [cordon, drain, apply, planReboot, reboot, waitForReboot, verify, uncordon],
  needsHost: true,
  failureTrigger: null,
  abortRules: {
    abortModeOf: ({ operationKind }, step, abortReason) => abortModeOf(operationKind, step, abortReason),
    // A host that is not verified stays cordoned, and its operation record says so.
    rollbackSteps: (task, { fromStep, reason }) => {
      const isApplied = appliesChanges(task);
      const isUnchanged = STEPS_BEFORE_CHANGES.includes(fromStep) || (fromStep === 'plan_reboot' && !isApplied);
      const isRebootCancelled = typeof reason === 'string' && fromStep === 'reboot' && !isApplied;
      return [
        ...(fromStep === 'reboot' ? [cancelReboot] : []),
        ...(isApplied && STEPS_WITH_PENDING_CHANGES.includes(fromStep) ? [relockDeployment] : []),
        ...(task.policy.drain && (isUnchanged || isRebootCancelled) ? [rollbackCordon] : []),
      ];
    },
    isSystemicFailure: (task, step) =>
      SYSTEMIC_STEPS.includes(step) || (step === 'plan_reboot' && appliesChanges(task)),
  },
} satisfies Procedure<TaskOf<'rollout'>>;
