import { cordonOwner, isHostlerOwner } from '../../domain/rollout/operation-host.ts';
import type { OperationTask, TaskOf, TaskState } from '../../domain/tasks/task.ts';
import { stepResultValue } from '../../domain/tasks/task.ts';
import { callManager, done, failed, retry } from '../outcomes.ts';
import { openHostManager } from '../query-host.ts';
import { phaseRetryPolicy } from '../retry-policies.ts';
import type { Outcome, Step } from '../step.ts';

export const drain = ({ policy }: OperationTask): Step<TaskOf<'rollout'>> => {
  const { timeoutS, onTimeout } = policy.drain ?? { timeoutS: 0, onTimeout: 'fail' };
  const mayForce = onTimeout === 'force';
  return {
    name: 'drain',
    phase: 'draining',
    // A forced drain gets the same time again.
    retryPolicy: phaseRetryPolicy(mayForce ? 2 * timeoutS : timeoutS),
    async run(context) {
      const { task, state } = context;
      const force = mayForce && state.retryTimeMs >= timeoutS * 1000;
      return callManager(async (): Promise<Outcome> => {
        const manager = await openHostManager(context);
        if (manager === null) return done();
        const report = await manager.drain(task.host, { force });
        if (report.state === 'drained') return done({ is_forced: force });
        if (report.state === 'draining') return retry(`draining: ${report.remaining} left: ${report.detail}`);
        return mayForce ? retry(`drain_refused: ${report.detail}`) : failed(`drain_refused: ${report.detail}`);
      });
    },
  };
};

const ownerOf = ({ operation, attempt }: OperationTask) => cordonOwner(operation, attempt);

/**
 * Cordons the node with the operation as its owner. A node that was already unschedulable keeps its owner.
 */
export const cordon = ({ policy }: OperationTask): Step<TaskOf<'rollout'>> => ({
  name: 'cordon',
  phase: 'cordoning',
  retryPolicy: phaseRetryPolicy(policy.drain?.timeoutS ?? 0),
  async run(context) {
    const { task } = context;
    return callManager(async (): Promise<Outcome> => {
      const manager = await openHostManager(context);
      if (manager === null) return done({ is_cordoned: false });
      const problem = await manager.checkDisruption(task.host);
      if (problem !== undefined) return retry(`disruption_not_allowed: ${problem}`);
      return done({ is_cordoned: (await manager.cordon(task.host, ownerOf(task))) === 'cordoned' });
    });
  },
});

type DoneSteps = Pick<TaskState, 'done'>;

/** The node was already unschedulable, or there is no node. */
export const isCordonSkipped = (state: DoneSteps): boolean => stepResultValue(state, 'cordon', 'is_cordoned') === false;

export const isCordonRolledBack = (state: DoneSteps): boolean =>
  stepResultValue(state, 'rollback_cordon', 'still_cordoned') === false;

export const uncordon = ({ policy }: OperationTask): Step<TaskOf<'rollout'>> => ({
  name: 'uncordon',
  phase: 'uncordoning',
  retryPolicy: phaseRetryPolicy(policy.timeouts.readyS),
  async run(context) {
    const { task, state } = context;
    return callManager(async () => {
      const manager = isCordonSkipped(state) ? null : await openHostManager(context);
      if (manager === null) return done({ still_cordoned: false });
      // A cordon of another owner stays. A cordon that an earlier attempt has left is reported.
      const isUncordoned = (await manager.uncordon(task.host, ownerOf(task))) === 'uncordoned';
      const report = isUncordoned ? undefined : await manager.report(task.host);
      if (report?.state === 'unavailable') return retry(`container_manager: ${report.reason}`);
      const owner = report?.state === 'registered' ? report.cordonedBy : undefined;
      return done({ still_cordoned: owner !== undefined && isHostlerOwner(owner) });
    });
  },
});

export const rollbackCordon = (task: OperationTask): Step<TaskOf<'rollout'>> => ({
  ...uncordon(task),
  name: 'rollback_cordon',
});
