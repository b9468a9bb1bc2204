import type { Host } from '../../domain/hosts/host.ts';
import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { TaskOf } from '../../domain/tasks/task.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import type { Failed } from '../outcomes.ts';
import { done, failed, noop } from '../outcomes.ts';
import {
  DEPLOYMENTS_LABEL,
  ensureRoot,
  findOsDriver,
  queryFacts,
  queryHost,
  queryRebootRequired,
  UNSUPPORTED_OS,
} from '../query-host.ts';
import { phaseRetryPolicy } from '../retry-policies.ts';
import { runFolderQuery } from '../run-folder.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { checkTarget, notImageBased } from './deployment.ts';
import { noopOrVerify } from './stage.ts';

type Context = StepContext<TaskOf<'stage'>>;

export const RUNS_HOSTLER_SERVER = failed(
  'runs_hostler_server: a Hostler server runs on this host; rebooting it would stop the server',
);

export function checkBootstrapped({ status, reason }: Pick<Host, 'status' | 'reason'>): Failed | undefined {
  if (isBootstrapped(status)) return undefined;
  const [code] = /^[a-z_]+(?=:|$)/.exec(reason) ?? [];
  return failed(`not_ready: the host has status ${status}${code === undefined ? '' : ` (${code})`}`);
}

/** Checks that the operation can work on the host, before any host is changed. */
export const preflight: Step<TaskOf<'stage'>> = {
  name: 'preflight',
  phase: 'preflight',
  retryPolicy: ({ policy }) => phaseRetryPolicy(policy.timeouts.readyS),
  async run(context) {
    const notReady = checkBootstrapped(context.host);
    if (notReady) return notReady;
    const result = await queryFacts(context);
    if ('outcome' in result) return result.outcome;
    const facts = result.answer;
    const notRoot = await ensureRoot(context);
    if (notRoot) return notRoot;
    if ((await context.serverBootIds()).includes(facts.bootId)) return RUNS_HOSTLER_SERVER;
    const driver = findOsDriver(context, facts);
    if (driver === undefined) return UNSUPPORTED_OS;
    const hostUpdate: HostUpdate = { facts, trigger: 'became_reachable', check: 'passed' };
    const nothingToDo = await checkNothingToDo(context, driver);
    if (nothingToDo?.kind === 'noop') return noopOrVerify(context, hostUpdate);
    if (nothingToDo !== undefined) return nothingToDo;
    // Reports an unwritable /run before the host is disrupted. It leaves only an empty /run/hostler behind, and no
    // later step relies on it.
    const runFolder = await queryHost(context, runFolderQuery, 'the result of the write test in /run');
    return 'outcome' in runFolder ? runFolder.outcome : done({ os_driver: driver.type }, hostUpdate);
  },
};

async function checkNothingToDo(context: Context, driver: OsDriver): Promise<Outcome | undefined> {
  const { operationKind, policy } = context.task;
  if (operationKind === 'deploy') return checkAlreadyDeployed(context, driver);
  if (operationKind !== 'restart' || policy.reboot !== 'if_needed') return undefined;
  const rebootRequired = await queryRebootRequired(context, driver);
  if ('outcome' in rebootRequired) return rebootRequired.outcome;
  return rebootRequired.answer ? undefined : noop();
}

async function checkAlreadyDeployed(context: Context, driver: OsDriver): Promise<Outcome | undefined> {
  const { image } = driver;
  const { version } = context.task;
  const problem = checkTarget(driver, version);
  if (image === undefined || problem !== undefined) return problem ?? notImageBased(driver);
  const deployments = await queryHost(context, image.deployments, DEPLOYMENTS_LABEL);
  if ('outcome' in deployments) return deployments.outcome;
  const { booted, staged } = deployments.answer;
  return booted && !staged && image.matchesTarget(version, booted) ? noop() : undefined;
}
