import { cordonOwner, isHostlerOwner } from '../../domain/rollout/operation-host.ts';
import type { OperationTask, TaskOf, TaskState } from '../../domain/tasks/task.ts';
import { stepResultValue } from '../../domain/tasks/task.ts';
import { done, failed, retry } from '../outcomes.ts';
import { callManager } from '../query-host.ts';
import { phaseRetryPolicy } from '../retry-policies.ts';
import type { Step } from '../step.ts';
import { isVerifyOnly } from './stage.ts';

const isNotDrained = ({ policy }: OperationTask): boolean => policy.drain === null;

const drainPolicyOf = ({ policy }: OperationTask) => {
  const { timeoutS, onTimeout } = policy.drain ?? { timeoutS: 0, onTimeout: 'fail' };
  return { timeoutS, mayForce: onTimeout === 'force' };
};

export const drain: Step<TaskOf<'rollout'>> = {
  name: 'drain',
  phase: 'draining',
  isUnnecessary: task => isNotDrained(task) || isVerifyOnly(task.stageResult),
  // A forced drain gets the same time again.
  retryPolicy: task => {
    const { timeoutS, mayForce } = drainPolicyOf(task);
    return phaseRetryPolicy(mayForce ? 2 * timeoutS : timeoutS);
  },
  async run(context) {
    const { task, state } = context;
    const { timeoutS, mayForce } = drainPolicyOf(task);
    const force = mayForce && state.retryTimeMs >= timeoutS * 1000;
    return callManager(context, done(), async manager => {
      const report = await manager.drain(task.host, { force });
      if (report.state === 'drained') return done({ is_forced: force });
      if (report.state === 'draining') return retry(`draining: ${report.remaining} left: ${report.detail}`);
      return mayForce ? retry(`drain_refused: ${report.detail}`) : failed(`drain_refused: ${report.detail}`);
    });
  },
};

const ownerOf = ({ operation, attempt }: OperationTask) => cordonOwner(operation, attempt);

/** A node that was already unschedulable keeps its owner. */
export const cordon: Step<TaskOf<'rollout'>> = {
  name: 'cordon',
  phase: 'cordoning',
  isUnnecessary: isNotDrained,
  retryPolicy: task => phaseRetryPolicy(drainPolicyOf(task).timeoutS),
  async run(context) {
    const { task } = context;
    return callManager(context, done({ is_cordoned: false }), async manager => {
      const problem = await manager.checkDisruption(task.host);
      if (problem !== undefined) return retry(`disruption_not_allowed: ${problem}`);
      return done({ is_cordoned: (await manager.cordon(task.host, ownerOf(task))) === 'cordoned' });
    });
  },
};

type DoneSteps = Pick<TaskState, 'done'>;

/** The node was already unschedulable, or there is no node. */
export const isCordonSkipped = (state: DoneSteps): boolean => stepResultValue(state, 'cordon', 'is_cordoned') === false;

export const isCordonRolledBack = (state: DoneSteps): boolean =>
  stepResultValue(state, 'rollback_cordon', 'still_cordoned') === false;

export const uncordon: Step<TaskOf<'rollout'>> = {
  name: 'uncordon',
  phase: 'uncordoning',
  isUnnecessary: isNotDrained,
  retryPolicy: ({ policy }) => phaseRetryPolicy(policy.timeouts.readyS),
  async run(context) {
    const { task, state } = context;
    if (isCordonSkipped(state)) return done({ still_cordoned: false });
    return callManager(context, done({ still_cordoned: false }), async manager => {
      // A cordon of another owner stays. A cordon that an earlier attempt has left is reported.
      const isUncordoned = (await manager.uncordon(task.host, ownerOf(task))) === 'uncordoned';
      const report = isUncordoned ? undefined : await manager.report(task.host);
      if (report?.state === 'unavailable') return retry(`container_manager: ${report.reason}`);
      const owner = report?.state === 'registered' ? report.cordonedBy : undefined;
      return done({ still_cordoned: owner !== undefined && isHostlerOwner(owner) });
    });
  },
};

export const rollbackCordon: Step<TaskOf<'rollout'>> = {
  ...uncordon,
  name: 'rollback_cordon',
  onExhausted: 'skip_step',
};
