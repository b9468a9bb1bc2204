import type { Host } from '../../domain/hosts/host.ts';
import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { OperationTask, TaskOf } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import type { Failed } from '../outcomes.ts';
import { done, failed, fromTransportFailure, noop, retry } from '../outcomes.ts';
import {
  checkRoot,
  DEPLOYMENTS_LABEL,
  findOsDriver,
  queryAsRoot,
  queryRebootRequired,
  ROOT_QUERY_OPTIONS,
  UID_COMMAND,
  UNSUPPORTED_OS,
} from '../query-host.ts';
import { phaseRetryPolicy, QUERY_TIMEOUT_MS } from '../retry-policies.ts';
import { runFolderQuery } from '../run-folder.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { checkTarget, notImageBased } from './deployment.ts';
import { noopOrVerify } from './verify-only.ts';

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
export const preflight = ({ policy }: OperationTask): Step<TaskOf<'stage'>> => ({
  name: 'preflight',
  phase: 'preflight',
  retryPolicy: phaseRetryPolicy(policy.timeouts.readyS),
  async run(context) {
    const { connection, os, host } = context;
    const notReady = checkBootstrapped(host);
    if (notReady) return notReady;
    const facts = await connection.query(os.facts, { timeoutMs: QUERY_TIMEOUT_MS });
    if (facts instanceof TransportFailure) return fromTransportFailure(facts);
    if (facts === undefined) return retry('unexpected_output: cannot parse the facts of the host');
    const result = await connection.run(UID_COMMAND, ROOT_QUERY_OPTIONS);
    if (result instanceof TransportFailure) return fromTransportFailure(result);
    const notRoot = checkRoot(result);
    if (notRoot !== undefined) return failed(`not_root: ${notRoot}`);
    if ((await context.serverBootIds()).includes(facts.bootId)) return RUNS_HOSTLER_SERVER;
    const driver = findOsDriver(context, facts);
    if (driver === undefined) return UNSUPPORTED_OS;
    const hostUpdate: HostUpdate = { facts, trigger: 'became_reachable', check: 'passed' };
    const nothingToDo = await checkNothingToDo(context, driver);
    if (nothingToDo?.kind === 'noop') return noopOrVerify(context, hostUpdate);
    if (nothingToDo !== undefined) return nothingToDo;
    // Reports an unwritable /run before the host is disrupted. It leaves only an empty /run/hostler behind,
    // and no later step relies on it.
    const runFolder = await queryAsRoot(connection, runFolderQuery, 'the result of the write test in /run');
    return 'outcome' in runFolder ? runFolder.outcome : done({ os_driver: driver.type }, hostUpdate);
  },
});

async function checkNothingToDo(context: Context, driver: OsDriver): Promise<Outcome | undefined> {
  const { operationKind, policy } = context.task;
  if (operationKind === 'deploy') return checkAlreadyDeployed(context, driver);
  if (operationKind !== 'restart' || policy.reboot !== 'if_needed') return undefined;
  const rebootRequired = await queryRebootRequired(context.connection, driver);
  if ('outcome' in rebootRequired) return rebootRequired.outcome;
  return rebootRequired.answer ? undefined : noop();
}

async function checkAlreadyDeployed({ task, connection }: Context, driver: OsDriver): Promise<Outcome | undefined> {
  const { image } = driver;
  const problem = checkTarget(driver, task.version);
  if (image === undefined || problem !== undefined) return problem ?? notImageBased(driver);
  const deployments = await queryAsRoot(connection, image.deployments, DEPLOYMENTS_LABEL);
  if ('outcome' in deployments) return deployments.outcome;
  const { booted, staged } = deployments.answer;
  return booted && !staged && image.matchesTarget(task.version, booted) ? noop() : undefined;
}
