import type { Learned } from '../../domain/hosts/learned.ts';
import { isOurMark } from '../../domain/rolling/cordon-mark.ts';
import type { OperationWork, StepResult } from '../../domain/work/work.ts';
import { again, askManager, done, settled } from '../outcomes.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { managerOf } from './manager-of.ts';

/** Noted of a host that is what it should be, and has only to be proved. */
export const TO_BE_PROVED: StepResult = { verify_only: true };

export const isToBeProvedOnly = (prepared: StepResult): boolean => prepared['verify_only'] === true;

/**
 * Nothing has to be done on the host. But a node that we have left cordoned was never proved: it is proved now, and let go of, whichever
 * operation that was.
 */
export async function alreadyThere(
  context: StepContext<OperationWork>,
  learned: Learned = {},
): Promise<Outcome> {
  const manager = context.work.policy.drain ? await managerOf(context) : null;
  if (manager === null || typeof manager === 'string') return settled(learned);
  return askManager(async () => {
    const report = await manager.report(context.work.host);
    if (report.state === 'unavailable') return again(`container_manager: ${report.reason}`);
    const mark = report.state === 'registered' ? report.cordonedBy : undefined;
    return mark !== undefined && isOurMark(mark) ? done(TO_BE_PROVED, learned) : settled(learned);
  });
}

/** There is only something left to be proved. */
export const isThereAlready: NonNullable<Step['isNeedless']> = ({ done: { preflight } }) =>
  preflight !== undefined && isToBeProvedOnly(preflight);
