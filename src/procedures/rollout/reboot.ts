import type { TaskOf, TaskState } from '../../domain/tasks/task.ts';
import { stepResultValue } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { AbortReason } from '../../domain/vocabulary.ts';
import {
  awaitRebootClearance,
  describeExit,
  done,
  failed,
  failOnScriptError,
  fromTransportFailure,
  retry,
  retryOnScriptError,
  retryWhileBooting,
} from '../outcomes.ts';
import {
  findOsDriver,
  queryHost,
  queryRebootRequired,
  REBOOT_STATE_LABEL,
  ROOT_QUERY_OPTIONS,
  UNSUPPORTED_OS,
} from '../query-host.ts';
import type { RebootId } from '../reboot/reboot-guard.ts';
import { REBOOT_DEADLINE_S } from '../reboot/reboot-guard.ts';
import { blockReboot, probeReboot, sendRebootQuery } from '../reboot/reboot-scripts.ts';
import { bootRetryPolicy, phaseRetryPolicy } from '../retry-policies.ts';
import { ScriptError } from '../script-error.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { abortModeOf } from './abort-modes.ts';
import { finalizeCommands } from './deployment.ts';
import { RUNS_HOSTLER_SERVER } from './preflight-and-verify.ts';
import { isVerifyOnly } from './stage.ts';

/** Saves the current boot id before any command is sent. */
export const planReboot: Step<TaskOf<'rollout'>> = {
  name: 'plan_reboot',
  phase: 'armed',
  retryPolicy: ({ policy }) => phaseRetryPolicy(policy.timeouts.rebootS),
  isUnnecessary: ({ stageResult }) => isVerifyOnly(stageResult),
  async run(context) {
    const { policy } = context.task;
    if (policy.reboot === 'never') return done({ reboot_required: false });
    const driver = findOsDriver(context, context.host);
    if (driver === undefined) return UNSUPPORTED_OS;
    const rebootRequired = policy.reboot === 'always' ? { value: true } : await queryRebootRequired(context, driver);
    if ('outcome' in rebootRequired) return rebootRequired.outcome;
    if (!rebootRequired.value) return done({ reboot_required: false });
    const liveness = await queryHost(context, context.os.liveness, 'the boot ID of the host', { asRoot: false });
    if ('outcome' in liveness) return liveness.outcome;
    const { bootId } = liveness.value;
    // A Hostler server can have been started on the host since preflight.
    if ((await context.serverBootIds()).includes(bootId)) return RUNS_HOSTLER_SERVER;
    if (!(await context.mayReboot())) return awaitRebootClearance;
    return done({ reboot_required: true, boot_id: bootId });
  },
};

type Context = StepContext<TaskOf<'rollout'>>;

export function rebootIdOf({ task, state }: Pick<Context, 'task' | 'state'>): RebootId | undefined {
  const { operation, attempt } = task;
  const bootId = stepResultValue(state, 'plan_reboot', 'boot_id');
  return typeof bootId === 'string' ? { operation, attempt, bootId } : undefined;
}

const rebootStarted = ({ task }: Context): Outcome =>
  done(
    {},
    { trigger: 'became_unreachable', reason: `rebooting: requested by ${task.operationKind} ${task.operation}` },
  );

const isRebootUnnecessary = ({ stageResult }: TaskOf<'rollout'>, state: Pick<TaskState, 'done'>): boolean =>
  isVerifyOnly(stageResult) || stepResultValue(state, 'plan_reboot', 'reboot_required') === false;

/** Probes the host before it sends the reboot, because another server may already have sent it. */
export const reboot: Step<TaskOf<'rollout'>> = {
  name: 'reboot',
  phase: 'armed',
  isUnnecessary: isRebootUnnecessary,
  retryPolicy: ({ policy }) => phaseRetryPolicy(policy.timeouts.rebootS),
  async run(context) {
    const rebootId = rebootIdOf(context);
    if (rebootId === undefined) return done();
    const probed = await queryHost(context, probeReboot(rebootId), REBOOT_STATE_LABEL);
    if ('outcome' in probed) return probed.outcome;
    const probe = probed.value;
    if (probe.bootId !== rebootId.bootId || probe.marker === 'started') return rebootStarted(context);
    if (probe.marker === 'failed') return failed(`reboot_failed: ${probe.problem}`);
    const { task, abortReason } = context;
    if (abortReason && abortModeOf(task.operationKind, 'reboot', abortReason) === 'step_decides')
      return abortReboot(context, rebootId, abortReason);
    if (probe.marker === 'blocked') return failed('reboot_cancelled: the reboot of this attempt was cancelled');
    return sendReboot(context, rebootId, probe.uptimeS);
  },
};

/** Takes the marker, so that a late command finds it and does nothing. */
async function abortReboot(context: Context, rebootId: RebootId, reason: AbortReason): Promise<Outcome> {
  const reply = await queryHost(context, blockReboot(rebootId), REBOOT_STATE_LABEL);
  if ('outcome' in reply) return reply.outcome;
  return reply.value === 'blocked' ? { kind: 'aborted', reason } : rebootStarted(context);
}

/** Sends the guarded command once. The end of the connection proves nothing; only the next probe shows the result. */
async function sendReboot(context: Context, rebootId: RebootId, uptimeS: number): Promise<Outcome> {
  const { connection, task, host } = context;
  // `plan_reboot` can be long ago, on another server.
  if (!(await context.mayReboot())) return awaitRebootClearance;
  const driver = findOsDriver(context, host);
  const customRebootArgv = driver ? finalizeCommands(driver, task).customRebootArgv : null;
  const { argv, parse } = sendRebootQuery(rebootId, { deadlineS: uptimeS + REBOOT_DEADLINE_S, customRebootArgv });
  const result = await connection.run(argv, ROOT_QUERY_OPTIONS);
  if (result instanceof TransportFailure) return fromTransportFailure(result);
  const reply = parse(result);
  if (reply instanceof ScriptError) return failOnScriptError(reply);
  if (reply === 'started' || reply === 'other_boot') return rebootStarted(context);
  if (reply !== undefined) return retry(`reboot_not_started: the host replied ${reply}`);
  return retry(`reboot_not_started: the reboot script ${describeExit(result)}`);
}

function stillRebooting(failure: TransportFailure): Outcome {
  const outcome = retryWhileBooting(failure);
  const problem = `waiting_for_boot: the host was sent a reboot and does not respond yet: ${failure}` as const;
  return outcome.kind === 'retry' ? { ...outcome, problem } : outcome;
}

/** An open SSH port does not prove a reboot; only a different boot id does. */
export const waitForReboot: Step<TaskOf<'rollout'>> = {
  name: 'wait_for_reboot',
  phase: 'rebooting',
  isUnnecessary: isRebootUnnecessary,
  retryPolicy: ({ policy }) => bootRetryPolicy(policy.timeouts.rebootS),
  async run(context) {
    const rebootId = rebootIdOf(context);
    if (rebootId === undefined) return done();
    const probed = await queryHost(context, probeReboot(rebootId), REBOOT_STATE_LABEL, {
      onFailure: stillRebooting,
      onScriptError: retryOnScriptError,
    });
    if ('outcome' in probed) return probed.outcome;
    const probe = probed.value;
    if (probe.bootId !== rebootId.bootId) return done({ boot_id: probe.bootId });
    if (probe.marker === 'failed') return failed(`reboot_failed: ${probe.problem}`);
    if (probe.marker !== 'none')
      return retry('waiting_for_shutdown: the host was sent a reboot and has not shut down yet');
    // The command never ran.
    const sent = await sendReboot(context, rebootId, probe.uptimeS);
    return sent.kind === 'done' ? retry('waiting_for_shutdown: the host was sent a reboot') : sent;
  },
};

/** Blocks a reboot command that can still be on its way, before the host is released. */
export const cancelReboot: Step<TaskOf<'rollout'>> = {
  name: 'cancel_reboot',
  phase: 'armed',
  onExhausted: 'skip_step',
  // After this time no sent command can reboot the host any more.
  retryPolicy: () => phaseRetryPolicy(REBOOT_DEADLINE_S),
  async run(context) {
    const rebootId = rebootIdOf(context);
    if (rebootId === undefined) return done();
    // An error means that no marker could be created. Then only the deadline stops a late command.
    const reply = await queryHost(context, blockReboot(rebootId), 'the reply of the host', {
      onScriptError: retryOnScriptError,
    });
    return 'outcome' in reply ? reply.outcome : done({ reply: reply.value });
  },
};
