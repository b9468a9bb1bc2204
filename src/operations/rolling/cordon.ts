import { cordonMark, isOurMark } from '../../domain/rolling/cordon-mark.ts';
import type { OperationWork, Progress, WorkOf } from '../../domain/work/work.ts';
import { resultOf } from '../../domain/work/work.ts';
import { again, askManager, done } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import type { Outcome, Step } from '../step.ts';
import { managerOf } from './manager-of.ts';

const markOf = ({ operation, attempt }: OperationWork) => cordonMark(operation, attempt);

/** Keeps new load away from the node, under our mark. One that was unschedulable before stays somebody else's. */
export const cordon = ({ policy }: OperationWork): Step<WorkOf<'rollout'>> => ({
  name: 'cordon',
  phase: 'cordoning',
  patience: inAPhase(policy.drain?.timeoutS ?? 0),
  async run(context) {
    const { work } = context;
    return askManager(async (): Promise<Outcome> => {
      const manager = await managerOf(context);
      if (manager === null) return done({ is_cordoned: false });
      const problem = await manager.disruptionProblem(work.host);
      if (problem !== undefined) return again(`disruption_not_allowed: ${problem}`);
      return done({ is_cordoned: (await manager.cordon(work.host, markOf(work))) === 'cordoned' });
    });
  },
});

type Done = Pick<Progress, 'done'>;

/** It was unschedulable before, or there is no node: nothing of ours is on it. */
export const isSpared = (progress: Done): boolean => resultOf(progress, 'cordon', 'is_cordoned') === false;

/** The node of a host that was given up has been let go of. */
export const isCordonUndone = (progress: Done): boolean =>
  resultOf(progress, 'rollback_cordon', 'still_cordoned') === false;

/** Lets load onto the node again, if the mark is still ours. */
export const uncordon = ({ policy }: OperationWork): Step<WorkOf<'rollout'>> => ({
  name: 'uncordon',
  phase: 'uncordoning',
  patience: inAPhase(policy.timeouts.readyS),
  async run(context) {
    const { work, progress } = context;
    return askManager(async () => {
      const manager = isSpared(progress) ? null : await managerOf(context);
      if (manager === null) return done({ still_cordoned: false });
      // What somebody else has marked meanwhile is theirs; what an attempt before has left is still ours.
      const isOver = (await manager.uncordon(work.host, markOf(work))) === 'uncordoned';
      const report = isOver ? undefined : await manager.report(work.host);
      if (report?.state === 'unavailable') return again(`container_manager: ${report.reason}`);
      const mark = report?.state === 'registered' ? report.cordonedBy : undefined;
      return done({ still_cordoned: mark !== undefined && isOurMark(mark) });
    });
  },
});

/** The same, for a host that is given up. */
export const undoCordon = (work: OperationWork): Step<WorkOf<'rollout'>> => ({
  ...uncordon(work),
  name: 'rollback_cordon',
});
