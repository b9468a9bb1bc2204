import type { Argv } from '../../domain/command.ts';
import type { OperationWork, WorkOf } from '../../domain/work/work.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import { done, failed } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import { runAll } from '../run-all.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { afterCommands } from './after-commands.ts';
import { askAsRoot, OF_ITS_VERSIONS } from './ask-as-root.ts';
import { driverOf, UNSUPPORTED } from './driver-of.ts';
import { finalizeOf, preparedDeployment } from './finalize.ts';
import { stageCommands } from './stage.ts';

type Context = StepContext<WorkOf<'rollout'>>;

export const applyCommands = (
  driver: OsDriver,
  work: Pick<WorkOf<'rollout'>, 'operationKind' | 'prepared'>,
): readonly Argv[] =>
  work.operationKind === 'deploy' ? finalizeOf(driver, work).before : driver.upgrade.apply;

/** Upgrades the packages, or lets the next boot bring what is staged. Nobody breaks it off. */
export const apply = ({ policy }: OperationWork): Step<WorkOf<'rollout'>> => ({
  name: 'apply',
  phase: 'applying',
  patience: inAPhase(policy.timeouts.applyS),
  async run(context) {
    const driver = driverOf(context, context.host);
    if (driver === undefined) return UNSUPPORTED;
    const notStaged = await stageAnew(context, driver);
    if (notStaged) return notStaged;
    const commands = applyCommands(driver, context.work);
    const problem = await runAll(context, commands, policy.timeouts.applyS * 1000);
    return afterCommands(context, problem) ?? done();
  },
});

/** A host may have waited long for its slot, and a boot in between drops what was staged: then that is done once more. */
async function stageAnew(context: Context, driver: OsDriver): Promise<Outcome | undefined> {
  const { work, jobsName } = context;
  const wanted = preparedDeployment(work.prepared).checksum;
  const { image } = driver;
  if (image === undefined || wanted === '') return undefined;
  const isThere = async (): Promise<Outcome | boolean> => {
    const deployments = await askAsRoot(context.link, image.deployments, OF_ITS_VERSIONS);
    if ('outcome' in deployments) return deployments.outcome;
    const { staged, booted } = deployments.answer;
    return [staged, booted].some(each => each?.checksum === wanted);
  };
  const before = await isThere();
  if (typeof before !== 'boolean') return before;
  if (before) return undefined;
  const commands = stageCommands(driver, work) ?? [];
  // By names of their own: they must not be taken for what is applied.
  const anew = { ...context, jobsName: `${jobsName}-restage` };
  const problem = afterCommands(context, await runAll(anew, commands, work.policy.timeouts.stageS * 1000));
  if (problem) return problem;
  const after = await isThere();
  if (typeof after !== 'boolean') return after;
  return after ? undefined : failed('not_staged: the staged version is gone and cannot be staged again');
}
