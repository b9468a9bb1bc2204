import type { Argv } from '../../domain/command.ts';
import type { TaskOf, TaskState } from '../../domain/tasks/task.ts';
import { stepResultValue } from '../../domain/tasks/task.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import { done, failAfterMaxRounds, failed } from '../outcomes.ts';
import { DEPLOYMENTS_LABEL, findOsDriver, queryHost, REBOOT_STATE_LABEL, UNSUPPORTED_OS } from '../query-host.ts';
import { probeReboot } from '../reboot/reboot-scripts.ts';
import { phaseRetryPolicy } from '../retry-policies.ts';
import { runJobs } from '../run-commands.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { finalizeCommands, readStagedDeployment } from './deployment.ts';
import { rebootIdOf } from './reboot.ts';
import { isVerifyOnly, stageCommands } from './stage.ts';

export const appliesChanges = ({ operationKind }: TaskOf<'rollout'>): boolean => operationKind !== 'restart';

export const applyCommands = (
  driver: OsDriver,
  task: Pick<TaskOf<'rollout'>, 'operationKind' | 'stageResult'>,
): readonly Argv[] => (task.operationKind === 'deploy' ? finalizeCommands(driver, task).before : driver.upgrade.apply);

export const apply: Step<TaskOf<'rollout'>> = {
  name: 'apply',
  phase: 'applying',
  retryPolicy: ({ policy }) => phaseRetryPolicy(policy.timeouts.applyS),
  isUnnecessary: task => !appliesChanges(task) || isVerifyOnly(task.stageResult),
  async run(context) {
    const { task } = context;
    const driver = findOsDriver(context, context.host);
    if (driver === undefined) return UNSUPPORTED_OS;
    const notStaged = await ensureStaged(context, driver);
    if (notStaged) return notStaged;
    const outcome = await runJobs(context, applyCommands(driver, task), task.policy.timeouts.applyS * 1000);
    return failAfterMaxRounds(context, outcome) ?? done();
  },
};

/** A reboot while the host waited for its slot drops the staged deployment. It is then staged again. */
async function ensureStaged(context: StepContext<TaskOf<'rollout'>>, driver: OsDriver): Promise<Outcome | undefined> {
  const { task, jobPrefix } = context;
  const expectedChecksum = readStagedDeployment(task.stageResult).checksum;
  const { image } = driver;
  if (image === undefined || expectedChecksum === '') return undefined;
  const isStagedOrBooted = async (): Promise<Outcome | boolean> => {
    const deployments = await queryHost(context, image.deployments, DEPLOYMENTS_LABEL);
    if ('outcome' in deployments) return deployments.outcome;
    const { staged, booted } = deployments.value;
    return [staged, booted].some(deployment => deployment?.checksum === expectedChecksum);
  };
  const before = await isStagedOrBooted();
  if (typeof before !== 'boolean') return before;
  if (before) return undefined;
  const commands = stageCommands(driver, task) ?? [];
  // A separate prefix, so that the jobs do not get the names of the apply jobs.
  const restageContext = { ...context, jobPrefix: `${jobPrefix}-restage` };
  const outcome = failAfterMaxRounds(
    context,
    await runJobs(restageContext, commands, task.policy.timeouts.stageS * 1000),
  );
  if (outcome) return outcome;
  const after = await isStagedOrBooted();
  if (typeof after !== 'boolean') return after;
  return after ? undefined : failed('not_staged: the staged version is gone and cannot be staged again');
}

const RELOCK_TIMEOUT_S = 120;

/** If a task fails between apply and reboot, a later boot must not activate the applied image. */
export const relockDeployment: Step<TaskOf<'rollout'>> = {
  name: 'relock_deployment',
  phase: 'armed',
  onExhausted: 'skip_step',
  // A host that was sent a reboot and does not respond has already used its timeout.
  retryPolicy: (_task, { rollback }) =>
    phaseRetryPolicy(rollback?.fromStep === 'wait_for_reboot' ? 0 : RELOCK_TIMEOUT_S),
  async run(context) {
    const commands = findOsDriver(context, context.host)?.image?.lock ?? [];
    if (commands.length === 0) return done();
    const rebootId = rebootIdOf(context);
    if (rebootId !== undefined) {
      const probed = await queryHost(context, probeReboot(rebootId), REBOOT_STATE_LABEL);
      if ('outcome' in probed) return probed.outcome;
      if (probed.value.bootId !== rebootId.bootId) return done();
    }
    const outcome = await runJobs(context, commands, RELOCK_TIMEOUT_S * 1000);
    return failAfterMaxRounds(context, outcome) ?? done();
  },
};

export const isRelockFailed = (state: Pick<TaskState, 'done'>): boolean =>
  stepResultValue(state, 'relock_deployment', 'problem') !== undefined;
