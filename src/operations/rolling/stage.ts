import type { Argv } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationWork, WorkOf } from '../../domain/work.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import { afterFailure, again, done, failed } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import { runAll } from '../run-all.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { ASK_TIMEOUT_MS } from '../time-limits.ts';
import { afterCommands } from './after-commands.ts';
import { alreadyThere, isThereAlready } from './already-there.ts';
import { driverOf, UNSUPPORTED } from './driver-of.ts';
import { badTarget } from './target-problem.ts';

type Context = StepContext<WorkOf<'stage'>>;

/** `undefined`: the system cannot be given such a version. */
export const stageCommands = (
  driver: OsDriver,
  { operationKind, version }: Pick<OperationWork, 'operationKind' | 'version'>,
): readonly Argv[] | undefined =>
  operationKind === 'deploy' ? driver.image?.stage(version) : driver.upgrade.stage;

const ROOT = { timeoutMs: ASK_TIMEOUT_MS, asRoot: true };

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
async function stagedDeployment(context: Context, { image }: OsDriver): Promise<Outcome> {
  const { link, work } = context;
  const deployments = image && (await link.ask(image.deployments, ROOT));
  if (deployments instanceof TransportFailure) return afterFailure(deployments);
  if (!image || !deployments?.booted)
    return again('unreadable: what the host says of its versions makes no sense');
  const { staged, booted } = deployments;
  if (staged) return done({ ...staged });
  // Only who follows this very reference can be there already without the version saying so. Tools put how it is fetched before it.
  const isFollowed = work.version.includes('/') && booted.image.endsWith(work.version);
  return isFollowed || image.isTarget(work.version, booted)
    ? alreadyThere(context)
    : failed(`not_staged: ${work.version} was asked for, and nothing was staged`);
}

async function stagedUpgrade(context: Context, driver: OsDriver): Promise<Outcome> {
  const { link, work } = context;
  const { reboot } = work.policy;
  const isPending = await link.ask(driver.upgrade.pending, ROOT);
  if (isPending instanceof TransportFailure) return afterFailure(isPending);
  if (isPending === undefined)
    return again('unreadable: whether there is anything to upgrade makes no sense');
  const needsReboot =
    reboot !== 'if_needed' || isPending ? reboot === 'always' : await rebootNeed(link, driver);
  if (typeof needsReboot !== 'boolean') return needsReboot;
  if (!isPending && !needsReboot) return alreadyThere(context);
  const deployments = driver.image && (await link.ask(driver.image.deployments, ROOT));
  if (deployments instanceof TransportFailure) return afterFailure(deployments);
  return done({ ...deployments?.staged });
}

async function rebootNeed(link: Context['link'], driver: OsDriver): Promise<boolean | Outcome> {
  const isNeeded = await link.ask(driver.rebootNeed, ROOT);
  if (isNeeded instanceof TransportFailure) return afterFailure(isNeeded);
  return isNeeded ?? again('unreadable: whether the host needs a reboot makes no sense');
}
