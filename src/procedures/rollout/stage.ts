import type { Argv } from '../../domain/command.ts';
import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import { isHostlerOwner } from '../../domain/rollout/operation-host.ts';
import type { OperationTask, StepResult, TaskOf } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import { done, failAfterMaxRounds, failed, fromTransportFailure, noop, retry } from '../outcomes.ts';
import {
  callManager,
  DEPLOYMENTS_LABEL,
  findOsDriver,
  queryHost,
  queryRebootRequired,
  ROOT_QUERY_OPTIONS,
  UNSUPPORTED_OS,
} from '../query-host.ts';
import { phaseRetryPolicy } from '../retry-policies.ts';
import { runJobs } from '../run-commands.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { deploymentResult, invalidTarget, notImageBased } from './deployment.ts';

/** The host needs no change and must only be verified. */
export const VERIFY_ONLY: StepResult = { verify_only: true };

export const isVerifyOnly = (stageResult: StepResult): boolean => stageResult['verify_only'] === true;

/** A node that Hostler has left cordoned, in any operation, was never verified. */
export async function noopOrVerify(context: StepContext<OperationTask>, hostUpdate: HostUpdate = {}): Promise<Outcome> {
  const { host, policy } = context.task;
  if (policy.drain === null) return noop(hostUpdate);
  return callManager(context, noop(hostUpdate), async manager => {
    const report = await manager.report(host);
    if (report.state === 'unavailable') return retry(`container_manager: ${report.reason}`);
    const owner = report.state === 'registered' ? report.cordonedBy : undefined;
    return owner !== undefined && isHostlerOwner(owner) ? done(VERIFY_ONLY, hostUpdate) : noop(hostUpdate);
  });
}

type Context = StepContext<TaskOf<'stage'>>;

export const stageCommands = (
  driver: OsDriver,
  { operationKind, version }: Pick<OperationTask, 'operationKind' | 'version'>,
): readonly Argv[] | undefined => (operationKind === 'deploy' ? driver.image?.stage(version) : driver.upgrade.stage);

/** If the tool can lock a staged deployment, an unplanned reboot does not activate it. */
export const stage: Step<TaskOf<'stage'>> = {
  name: 'stage',
  phase: 'staging',
  retryPolicy: ({ policy }) => phaseRetryPolicy(policy.timeouts.stageS),
  isUnnecessary: ({ operationKind }, { done: { preflight } }) =>
    operationKind === 'restart' || (preflight !== undefined && isVerifyOnly(preflight)),
  async run(context) {
    const { operationKind, policy, version } = context.task;
    const driver = findOsDriver(context, context.host);
    if (driver === undefined) return UNSUPPORTED_OS;
    const commands = stageCommands(driver, context.task);
    if (commands === undefined) return invalidTarget(driver, version);
    const outcome = failAfterMaxRounds(context, await runJobs(context, commands, policy.timeouts.stageS * 1000));
    if (outcome) return outcome;
    return operationKind === 'deploy' ? checkStagedDeployment(context, driver) : checkStagedUpgrade(context, driver);
  },
};

/** Stores the checksum of the staged deployment, because a tag can point elsewhere after the reboot. */
async function checkStagedDeployment(context: Context, driver: OsDriver): Promise<Outcome> {
  const { task } = context;
  const { image } = driver;
  if (image === undefined) return notImageBased(driver);
  const deployments = await queryHost(context, image.deployments, DEPLOYMENTS_LABEL);
  if ('outcome' in deployments) return deployments.outcome;
  const { staged, booted } = deployments.value;
  if (booted === undefined) return retry(`unexpected_output: cannot parse ${DEPLOYMENTS_LABEL}`);
  if (staged) return done(deploymentResult(staged));
  // A host that follows the requested reference can be current. Tools prefix the reference with its transport.
  const followsReference = task.version.includes('/') && booted.image.endsWith(task.version);
  return followsReference || image.matchesTarget(task.version, booted)
    ? noopOrVerify(context)
    : failed(`not_staged: ${task.version} was requested, but nothing was staged`);
}

async function checkStagedUpgrade(context: Context, driver: OsDriver): Promise<Outcome> {
  const { connection, task } = context;
  const { reboot } = task.policy;
  const pending = await queryHost(context, driver.upgrade.hasUpdates, 'the list of pending upgrades');
  if ('outcome' in pending) return pending.outcome;
  const mustQueryReboot = reboot === 'if_needed' && !pending.value;
  const rebootRequired = mustQueryReboot ? await queryRebootRequired(context, driver) : { value: reboot === 'always' };
  if ('outcome' in rebootRequired) return rebootRequired.outcome;
  if (!pending.value && !rebootRequired.value) return noopOrVerify(context);
  const deployments = driver.image && (await connection.query(driver.image.deployments, ROOT_QUERY_OPTIONS));
  if (deployments instanceof TransportFailure) return fromTransportFailure(deployments);
  return done(deployments?.staged && deploymentResult(deployments.staged));
}
