import type { OperationWork, WorkOf } from '../../domain/work/work.ts';
import { again, askManager, done, failed } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import type { Outcome, Step } from '../step.ts';
import { managerOf } from './manager-of.ts';

/** Has everything that runs on the node go elsewhere, and waits until it is gone. */
export const drain = ({ policy }: OperationWork): Step<WorkOf<'rollout'>> => {
  const { timeoutS, onTimeout } = policy.drain ?? { timeoutS: 0, onTimeout: 'fail' };
  const mayForce = onTimeout === 'force';
  return {
    name: 'drain',
    phase: 'draining',
    // What is forced has as long again as it had to go by itself.
    patience: inAPhase(mayForce ? 2 * timeoutS : timeoutS),
    async run(context) {
      const { work, progress } = context;
      const force = mayForce && progress.spentMs >= timeoutS * 1000;
      return askManager(async (): Promise<Outcome> => {
        const manager = await managerOf(context);
        if (manager === null) return done();
        const report = await manager.drain(work.host, { force });
        if (report.state === 'drained') return done({ is_forced: force });
        if (report.state === 'draining') return again(`draining: ${report.left} left: ${report.detail}`);
        return mayForce
          ? again(`drain_refused: ${report.detail}`)
          : failed(`drain_refused: ${report.detail}`);
      });
    },
  };
};
