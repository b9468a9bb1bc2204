import type { Argv } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationWork, WorkOf } from '../../domain/work/work.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import { afterFailure, again, done, failed } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import { runAll } from '../run-all.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { afterCommands } from './after-commands.ts';
import { alreadyThere, isThereAlready } from './already-there.ts';
import { AS_ROOT, askAsRoot, askRebootNeed, OF_ITS_VERSIONS } from './ask-as-root.ts';
import { driverOf, UNSUPPORTED } from './driver-of.ts';
import { deploymentResult } from './finalize.ts';
import { badTarget, notAnImage } from './target-problem.ts';

type Context = StepContext<WorkOf<'stage'>>;

/** `undefined`: the system cannot be given such a version. */
export const stageCommands = (
  driver: OsDriver,
  { operationKind, version }: Pick<OperationWork, 'operationKind' | 'version'>,
): readonly Argv[] | undefined =>
  operationKind === 'deploy' ? driver.image?.stage(version) : driver.upgrade.stage;

/** Downloads what will be applied. Nobody is disturbed, and where the tool can lock it a stray reboot does not apply it. */
export const stage = ({ policy, operationKind }: OperationWork): Step<WorkOf<'stage'>> => ({
  name: 'stage',
  phase: 'staging',
  isNeedless: isThereAlready,
  patience: inAPhase(policy.timeouts.stageS),
  async run(context) {
    const driver = driverOf(context, context.host);
    if (driver === undefined) return UNSUPPORTED;
    const commands = stageCommands(driver, context.work);
    if (commands === undefined) return badTarget(driver, context.work.version);
    const problem = afterCommands(context, await runAll(context, commands, policy.timeouts.stageS * 1000));
    if (problem) return problem;
    return operationKind === 'deploy' ? stagedDeployment(context, driver) : stagedUpgrade(context, driver);
  },
});

/** What was staged, by its checksum: a tag may point elsewhere by the time the host is up again. */
async function stagedDeployment(context: Context, driver: OsDriver): Promise<Outcome> {
  const { link, work } = context;
  const { image } = driver;
  if (image === undefined) return notAnImage(driver);
  const deployments = await askAsRoot(link, image.deployments, OF_ITS_VERSIONS);
  if ('outcome' in deployments) return deployments.outcome;
  const { staged, booted } = deployments.answer;
  if (booted === undefined) return again(`unexpected_output: cannot parse ${OF_ITS_VERSIONS}`);
  if (staged) return done(deploymentResult(staged));
  // Only who follows this very reference can be there already without the version saying so. Tools put how it is fetched before it.
  const isFollowed = work.version.includes('/') && booted.image.endsWith(work.version);
  return isFollowed || image.isTarget(work.version, booted)
    ? alreadyThere(context)
    : failed(`not_staged: ${work.version} was requested, but nothing was staged`);
}

async function stagedUpgrade(context: Context, driver: OsDriver): Promise<Outcome> {
  const { link, work } = context;
  const { reboot } = work.policy;
  const pending = await askAsRoot(link, driver.upgrade.pending, 'the list of pending upgrades');
  if ('outcome' in pending) return pending.outcome;
  const isLeft = reboot === 'if_needed' && !pending.answer;
  const need = isLeft ? await askRebootNeed(link, driver) : { answer: reboot === 'always' };
  if ('outcome' in need) return need.outcome;
  if (!pending.answer && !need.answer) return alreadyThere(context);
  const deployments = driver.image && (await link.ask(driver.image.deployments, AS_ROOT));
  if (deployments instanceof TransportFailure) return afterFailure(deployments);
  return done(deployments?.staged && deploymentResult(deployments.staged));
}
