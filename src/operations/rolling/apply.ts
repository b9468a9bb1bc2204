import type { OperationWork, WorkOf } from '../../domain/work.ts';
import { done, failed } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import { runAll } from '../run-all.ts';
import type { Step } from '../step.ts';
import { afterCommands } from './after-commands.ts';
import { driverOf } from './driver-of.ts';
import { finalizeOf } from './finalize.ts';

/** Upgrades the packages, or lets the next boot bring what is staged. Nobody breaks it off. */
export const apply = ({ policy, operationKind }: OperationWork): Step<WorkOf<'roll'>> => ({
  name: 'apply',
  phase: 'applying',
  patience: inAPhase(policy.timeouts.applyS),
  async run(context) {
    const driver = driverOf(context, context.host);
    if (driver === undefined) return failed('unsupported_os: no driver can handle this system');
    const commands =
      operationKind === 'deploy' ? finalizeOf(driver, context.work).before : driver.upgrade.apply;
    const problem = await runAll(context, commands, policy.timeouts.applyS * 1000);
    return afterCommands(context, problem) ?? done();
  },
});
