import type { Argv } from '../../domain/command.ts';
import type { OperationTask, TaskOf, TaskState } from '../../domain/tasks/task.ts';
import { stepResultValue } from '../../domain/tasks/task.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import { done, failAfterMaxRounds, failed } from '../outcomes.ts';
import {
  DEPLOYMENTS_LABEL,
  findOsDriver,
  queryAsRoot,
  REBOOT_STATE_LABEL,
  UNSUPPORTED_OS,
} from '../query-host.ts';
import { probeReboot } from '../reboot/probe-reboot.ts';
import { phaseRetryPolicy } from '../retry-policies.ts';
import { runJobs } from '../run-commands.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { finalizeCommands, readStagedDeployment } from './deployment.ts';
import { rebootIdOf } from './reboot.ts';
import { stageCommands } from './stage.ts';

type Context = StepContext<TaskOf<'rollout'>>;

export const applyCommands = (
  driver: OsDriver,
  task: Pick<TaskOf<'rollout'>, 'operationKind' | 'stageResult'>,
): readonly Argv[] =>
  task.operationKind === 'deploy' ? finalizeCommands(driver, task).before : driver.upgrade.apply;

/** Upgrades the packages, or lets the next boot bring what is staged. Nobody breaks it off. */
export const apply = ({ policy }: OperationTask): Step<TaskOf<'rollout'>> => ({
  name: 'apply',
  phase: 'applying',
  retryPolicy: phaseRetryPolicy(policy.timeouts.applyS),
  async run(context) {
    const driver = findOsDriver(context, context.host);
    if (driver === undefined) return UNSUPPORTED_OS;
    const notStaged = await ensureStaged(context, driver);
    if (notStaged) return notStaged;
    const commands = applyCommands(driver, context.task);
    const problem = await runJobs(context, commands, policy.timeouts.applyS * 1000);
    return failAfterMaxRounds(context, problem) ?? done();
  },
});

/** A host may have waited long for its slot, and a boot in between drops what was staged: then that is done once more. */
async function ensureStaged(context: Context, driver: OsDriver): Promise<Outcome | undefined> {
  const { task, jobPrefix } = context;
  const expectedChecksum = readStagedDeployment(task.stageResult).checksum;
  const { image } = driver;
  if (image === undefined || expectedChecksum === '') return undefined;
  const isStagedOrBooted = async (): Promise<Outcome | boolean> => {
    const deployments = await queryAsRoot(context.connection, image.deployments, DEPLOYMENTS_LABEL);
    if ('outcome' in deployments) return deployments.outcome;
    const { staged, booted } = deployments.answer;
    return [staged, booted].some(each => each?.checksum === expectedChecksum);
  };
  const before = await isStagedOrBooted();
  if (typeof before !== 'boolean') return before;
  if (before) return undefined;
  const commands = stageCommands(driver, task) ?? [];
  // By names of their own: they must not be taken for what is applied.
  const restageContext = { ...context, jobPrefix: `${jobPrefix}-restage` };
  const problem = failAfterMaxRounds(
    context,
    await runJobs(restageContext, commands, task.policy.timeouts.stageS * 1000),
  );
  if (problem) return problem;
  const after = await isStagedOrBooted();
  if (typeof after !== 'boolean') return after;
  return after ? undefined : failed('not_staged: the staged version is gone and cannot be staged again');
}

/** It does next to nothing; a host that is away is not waited for much longer than for a reboot that is called off. */
const RELOCK_TIMEOUT_S = 120;

/** A host that is given up after its image was applied, and before its reboot, must not get it by some boot later on. */
export const relockDeployment = (fromStep: string): Step<TaskOf<'rollout'>> => ({
  name: 'relock_deployment',
  phase: 'armed',
  // One that was told to reboot, and is silent, has been waited for already.
  retryPolicy: phaseRetryPolicy(fromStep === 'wait_for_reboot' ? 0 : RELOCK_TIMEOUT_S),
  async run(context) {
    const commands = findOsDriver(context, context.host)?.image?.lock ?? [];
    if (commands.length === 0) return done();
    const rebootId = rebootIdOf(context);
    if (rebootId !== undefined) {
      const probed = await queryAsRoot(context.connection, probeReboot(rebootId), REBOOT_STATE_LABEL);
      if ('outcome' in probed) return probed.outcome;
      if (probed.answer.bootId !== rebootId.bootId) return done();
    }
    const problem = await runJobs(context, commands, RELOCK_TIMEOUT_S * 1000);
    return failAfterMaxRounds(context, problem) ?? done();
  },
});

/** What was applied could not be locked. */
export const isRelockFailed = (state: Pick<TaskState, 'done'>): boolean =>
  stepResultValue(state, 'relock_deployment', 'problem') !== undefined;
