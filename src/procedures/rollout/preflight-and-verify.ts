import type { Host } from '../../domain/hosts/host.ts';
import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import { isBootstrapped } from '../../domain/hosts/host-status.ts';
import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import type { StepResult, TaskOf, TaskState } from '../../domain/tasks/task.ts';
import { stepResultValue } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import type { Failed } from '../outcomes.ts';
import { describeExit, done, failed, noop, retry, retryWhileBooting, waiting } from '../outcomes.ts';
import {
  callManager,
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
import { checkTarget, notImageBased, readStagedDeployment } from './deployment.ts';
import { noopOrVerify } from './stage.ts';

type StageContext = StepContext<TaskOf<'stage'>>;

export const RUNS_HOSTLER_SERVER = failed(
  'runs_hostler_server: a Hostler server runs on this host; rebooting it would stop the server',
);

export function checkBootstrapped({ status, reason }: Pick<Host, 'status' | 'reason'>): Failed | undefined {
  if (isBootstrapped(status)) return undefined;
  const [code] = /^[a-z_]+(?=:|$)/.exec(reason) ?? [];
  return failed(`not_ready: the host has status ${status}${code === undefined ? '' : ` (${code})`}`);
}

export const preflight: Step<TaskOf<'stage'>> = {
  name: 'preflight',
  phase: 'preflight',
  retryPolicy: ({ policy }) => phaseRetryPolicy(policy.timeouts.readyS),
  async run(context) {
    const notReady = checkBootstrapped(context.host);
    if (notReady) return notReady;
    const result = await queryFacts(context);
    if ('outcome' in result) return result.outcome;
    const facts = result.value;
    const notRoot = await ensureRoot(context);
    if (notRoot) return notRoot;
    if ((await context.serverBootIds()).includes(facts.bootId)) return RUNS_HOSTLER_SERVER;
    const driver = findOsDriver(context, facts);
    if (driver === undefined) return UNSUPPORTED_OS;
    const hostUpdate: HostUpdate = { facts, trigger: 'became_reachable', checkResult: 'passed' };
    const nothingToDo = await checkNothingToDo(context, driver);
    if (nothingToDo?.kind === 'noop') return noopOrVerify(context, hostUpdate);
    if (nothingToDo !== undefined) return nothingToDo;
    // Reports an unwritable /run before the host is disrupted. No later step relies on it.
    const runFolder = await queryHost(context, runFolderQuery, 'the result of the write test in /run');
    return 'outcome' in runFolder ? runFolder.outcome : done({ os_driver: driver.type }, hostUpdate);
  },
};

async function checkNothingToDo(context: StageContext, driver: OsDriver): Promise<Outcome | undefined> {
  const { operationKind, policy } = context.task;
  if (operationKind === 'deploy') return checkAlreadyDeployed(context, driver);
  if (operationKind !== 'restart' || policy.reboot !== 'if_needed') return undefined;
  const rebootRequired = await queryRebootRequired(context, driver);
  if ('outcome' in rebootRequired) return rebootRequired.outcome;
  return rebootRequired.value ? undefined : noop();
}

async function checkAlreadyDeployed(context: StageContext, driver: OsDriver): Promise<Outcome | undefined> {
  const { image } = driver;
  const { version } = context.task;
  const problem = checkTarget(driver, version);
  if (image === undefined || problem !== undefined) return problem ?? notImageBased(driver);
  const deployments = await queryHost(context, image.deployments, DEPLOYMENTS_LABEL);
  if ('outcome' in deployments) return deployments.outcome;
  const { booted, staged } = deployments.value;
  return booted && !staged && image.matchesTarget(version, booted) ? noop() : undefined;
}

type RolloutContext = StepContext<TaskOf<'rollout'>>;

const HEALTHY_POLL_MS = 10_000;

interface Boots {
  readonly bootId: string | undefined;
  readonly count: number;
  /** In this boot, by the time of the store. */
  readonly healthySinceMs: number | null;
}

function readBoots({ state }: RolloutContext): Boots {
  const { boot_id: bootId, boots, healthy_since: since } = state.stepState;
  const first = stepResultValue(state, 'wait_for_reboot', 'boot_id');
  return {
    bootId: typeof bootId === 'string' ? bootId : typeof first === 'string' ? first : undefined,
    count: typeof boots === 'number' ? boots : typeof first === 'string' ? 1 : 0,
    healthySinceMs: typeof since === 'number' ? since : null,
  };
}

const inBoot = (boots: Boots, bootId: string): Boots =>
  bootId === boots.bootId ? boots : { bootId, count: boots.count + 1, healthySinceMs: null };

const toStepState = ({ bootId, count, healthySinceMs }: Boots): StepResult => ({
  ...(bootId !== undefined && { boot_id: bootId }),
  boots: count,
  ...(healthySinceMs !== null && { healthy_since: healthySinceMs }),
});

function describeInstability<Problem extends ReasonText | ''>(
  { count }: Boots,
  problem: Problem,
): Problem | ReasonText {
  if (count < 2) return problem;
  return `not_stable: the host has booted ${count} times${problem && `; ${problem}`}`;
}

const withBoots = (outcome: Outcome, boots: Boots): Outcome =>
  outcome.kind === 'retry'
    ? {
        ...outcome,
        problem: describeInstability(boots, outcome.problem),
        stepState: toStepState({ ...boots, healthySinceMs: null }),
      }
    : outcome;

export const verify: Step<TaskOf<'rollout'>> = {
  name: 'verify',
  phase: 'verifying',
  retryPolicy: ({ policy }) => phaseRetryPolicy(policy.timeouts.readyS),
  async run(context) {
    const { nowMs, task } = context;
    const { minHealthyS } = task.policy;
    const previousBoots = readBoots(context);
    const booted = await checkBooted(context);
    if (typeof booted !== 'string') return withBoots(booted, previousBoots);
    const boots = inBoot(previousBoots, booted);
    const outcome =
      (await checkVersion(context)) ?? (await checkNodeReady(context, booted)) ?? (await runPolicyCheck(context));
    if (outcome) return withBoots(outcome, boots);
    const healthySinceMs = Math.min(boots.healthySinceMs ?? nowMs, nowMs);
    const remainingMs = healthySinceMs + minHealthyS * 1000 - nowMs;
    if (remainingMs <= 0) return done({ boot_id: booted });
    const healthyS = Math.round((nowMs - healthySinceMs) / 1000);
    return waiting(Math.min(remainingMs, HEALTHY_POLL_MS), toStepState({ ...boots, healthySinceMs }), {
      problem: describeInstability(boots, ''),
      problemAtDeadline: describeInstability(
        boots,
        `not_ready: healthy for ${healthyS} of ${minHealthyS} s at the deadline`,
      ),
    });
  },
};

export function verifiedBootId(state: Pick<TaskState, 'done'>): string | undefined {
  const bootId = stepResultValue(state, 'verify', 'boot_id');
  return typeof bootId === 'string' ? bootId : undefined;
}

async function checkBooted(context: RolloutContext): Promise<string | Outcome> {
  const readiness = await queryHost(context, context.os.readiness, 'the system state', {
    asRoot: false,
    onFailure: retryWhileBooting,
  });
  if ('outcome' in readiness) return readiness.outcome;
  const { bootId, isUp, detail } = readiness.value;
  if (bootId === stepResultValue(context.state, 'plan_reboot', 'boot_id'))
    return failed('not_rebooted: the boot ID has not changed since the reboot was sent');
  return isUp ? bootId : retry(`still_booting: ${detail}`);
}

async function checkVersion(context: RolloutContext): Promise<Outcome | undefined> {
  const { task, host, state } = context;
  const expected = readStagedDeployment(task.stageResult);
  const image = findOsDriver(context, host)?.image;
  const isKnown = expected.checksum !== '' || expected.version !== '';
  if (image === undefined || !isKnown || task.policy.reboot === 'never') return undefined;
  const deployments = await queryHost(context, image.deployments, DEPLOYMENTS_LABEL, {
    onFailure: retryWhileBooting,
  });
  if ('outcome' in deployments) return deployments.outcome;
  const { booted } = deployments.value;
  if (booted === undefined) return retry(`unexpected_output: cannot parse ${DEPLOYMENTS_LABEL}`);
  // Not every tool reports checksums.
  const field = expected.checksum === '' ? 'version' : 'checksum';
  if (booted[field] === expected[field]) return undefined;
  const isSameName = booted.version === expected.version;
  const name = ({ version, checksum }: typeof booted) =>
    version === '' || isSameName ? checksum.slice(0, 19) : version;
  // An unplanned reboot can drop the staged deployment, after which no reboot is required.
  return stepResultValue(state, 'plan_reboot', 'reboot_required') === true
    ? failed(`rolled_back: the host booted ${name(booted)} instead of ${name(expected)}`)
    : failed(`not_applied: the host runs ${name(booted)}, and ${name(expected)} is no longer staged`);
}

/** A manager can report a rebooted node as ready. Only the new boot id proves that the report is current. */
async function checkNodeReady(context: RolloutContext, bootId: string): Promise<Outcome | undefined> {
  const { host, task } = context;
  if (host.registeredWith === null) return undefined;
  const outcome = await callManager(context, done(), async manager => {
    const report = await manager.report(task.host);
    if (report.state === 'unavailable') return retry(`container_manager: ${report.reason}`);
    if (report.state === 'unknown') return retry('not_ready: the container manager does not list the node');
    if (report.bootId !== undefined && report.bootId !== bootId)
      return retry('not_ready: the container manager has not reported the node since its boot');
    return report.ready ? done() : retry('not_ready: the container manager does not report the node as ready');
  });
  return outcome.kind === 'done' ? undefined : outcome;
}

async function runPolicyCheck({ task, connection, onOutput }: RolloutContext): Promise<Outcome | undefined> {
  const { check } = task.policy;
  if (check === null) return undefined;
  const result = await connection.run(check, { timeoutMs: task.policy.timeouts.readyS * 1000, asRoot: true });
  if (result instanceof TransportFailure) return retryWhileBooting(result);
  onOutput(result.stdout);
  onOutput(result.stderr);
  return result.exitCode === 0 ? undefined : retry(`check_failed: ${check[0]} ${describeExit(result)}`);
}
