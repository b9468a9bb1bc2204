import type { OperationTask, TaskOf } from '../../domain/tasks/task.ts';
import { stepResultValue } from '../../domain/tasks/task.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { lastLine } from '../../lib/sanitize.ts';
import {
  aborted,
  askToReboot,
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
  queryAsRoot,
  queryRebootRequired,
  REBOOT_STATE_LABEL,
  ROOT_QUERY_OPTIONS,
  UNSUPPORTED_OS,
} from '../query-host.ts';
import { blockReboot } from '../reboot/block-reboot.ts';
import { probeReboot } from '../reboot/probe-reboot.ts';
import type { RebootId } from '../reboot/reboot-guard.ts';
import { REBOOT_DEADLINE_S } from '../reboot/reboot-guard.ts';
import { rebootQuery } from '../reboot/send-reboot.ts';
import { bootRetryPolicy, phaseRetryPolicy, QUERY_TIMEOUT_MS } from '../retry-policies.ts';
import { ScriptError } from '../script-error.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { abortModeOf } from './abort-modes.ts';
import { finalizeCommands } from './deployment.ts';
import { RUNS_HOSTLER_SERVER } from './preflight.ts';

/** Learns whether a reboot is due, and of which boot: that is saved before anything is sent. */
export const planReboot = ({ policy }: OperationTask): Step<TaskOf<'rollout'>> => ({
  name: 'plan_reboot',
  phase: 'armed',
  retryPolicy: phaseRetryPolicy(policy.timeouts.rebootS),
  async run(context) {
    const { connection, os } = context;
    if (policy.reboot === 'never') return done({ reboot_required: false });
    const driver = findOsDriver(context, context.host);
    if (driver === undefined) return UNSUPPORTED_OS;
    const rebootRequired =
      policy.reboot === 'always' ? { answer: true } : await queryRebootRequired(connection, driver);
    if ('outcome' in rebootRequired) return rebootRequired.outcome;
    if (!rebootRequired.answer) return done({ reboot_required: false });
    const pulse = await connection.query(os.liveness, { timeoutMs: QUERY_TIMEOUT_MS });
    if (pulse instanceof TransportFailure) return fromTransportFailure(pulse);
    if (pulse === undefined) return retry('unexpected_output: cannot parse the boot ID of the host');
    // A server may have been started there since it was prepared.
    if ((await context.serverBootIds()).includes(pulse.bootId)) return RUNS_HOSTLER_SERVER;
    if (!(await context.mayReboot())) return askToReboot;
    return done({ reboot_required: true, boot_id: pulse.bootId });
  },
});

type Context = StepContext<TaskOf<'rollout'>>;

/** What the host knows a reboot of this attempt by; `undefined` when none is due. */
export function rebootIdOf({ task, state }: Pick<Context, 'task' | 'state'>): RebootId | undefined {
  const { operation, attempt } = task;
  const bootId = stepResultValue(state, 'plan_reboot', 'boot_id');
  return typeof bootId === 'string' ? { operation, attempt, bootId } : undefined;
}

const rebootStarted = ({ task }: Context): Outcome =>
  done(
    {},
    {
      trigger: 'became_unreachable',
      reason: `rebooting: requested by ${task.operationKind} ${task.operation}`,
    },
  );

/** By what was learnt when it was armed. */
export const isRebootUnnecessary: NonNullable<Step['isUnnecessary']> = progress =>
  stepResultValue(progress, 'plan_reboot', 'reboot_required') === false;

/** Has the host reboot, unless it did already. It is asked first, never assumed: a server may have been here before. */
export const reboot = ({ policy }: OperationTask): Step<TaskOf<'rollout'>> => ({
  name: 'reboot',
  phase: 'armed',
  isUnnecessary: isRebootUnnecessary,
  retryPolicy: phaseRetryPolicy(policy.timeouts.rebootS),
  async run(context) {
    const rebootId = rebootIdOf(context);
    if (rebootId === undefined) return done();
    const probed = await queryAsRoot(context.connection, probeReboot(rebootId), REBOOT_STATE_LABEL);
    if ('outcome' in probed) return probed.outcome;
    const probe = probed.answer;
    if (probe.bootId !== rebootId.bootId || probe.marker === 'started') return rebootStarted(context);
    if (probe.marker === 'failed') return failed(`reboot_failed: ${probe.problem}`);
    if (isAbortRequested(context)) return abortReboot(context, rebootId);
    if (probe.marker === 'blocked')
      return failed('reboot_cancelled: the reboot of this attempt was cancelled');
    return issueReboot(context, rebootId, probe.uptimeS);
  },
});

function isAbortRequested({ task, abortReason }: Context): boolean {
  return abortReason !== null && abortModeOf(task.operationKind, 'reboot', abortReason) === 'ask_step';
}

/** Takes the marker, so that a command which comes late finds it and does nothing. */
async function abortReboot(context: Context, rebootId: RebootId): Promise<Outcome> {
  const reply = await queryAsRoot(context.connection, blockReboot(rebootId), REBOOT_STATE_LABEL);
  if ('outcome' in reply) return reply.outcome;
  return reply.answer === 'blocked' ? aborted : rebootStarted(context);
}

/** Sends the guarded command once. How the connection ends proves nothing; the next look does. */
export async function issueReboot(context: Context, rebootId: RebootId, uptimeS: number): Promise<Outcome> {
  const { connection, task, host } = context;
  // Another server may have armed the host long ago.
  if (!(await context.mayReboot())) return askToReboot;
  const driver = findOsDriver(context, host);
  const customRebootArgv = driver ? finalizeCommands(driver, task).customRebootArgv : null;
  const { argv, parse } = rebootQuery(rebootId, { deadlineS: uptimeS + REBOOT_DEADLINE_S, customRebootArgv });
  const result = await connection.run(argv, ROOT_QUERY_OPTIONS);
  if (result instanceof TransportFailure) return fromTransportFailure(result);
  const reply = parse(result);
  if (reply instanceof ScriptError) return failOnScriptError(reply);
  if (reply === 'started' || reply === 'other_boot') return rebootStarted(context);
  if (reply !== undefined) return retry(`reboot_not_started: the host replied ${reply}`);
  const output = lastLine(result.stderr) || lastLine(result.stdout);
  return retry(
    `reboot_not_started: the reboot script exited with ${result.exitCode}${output && `: ${output}`}`,
  );
}

/** Who reads only this must see that it was we who had it reboot. */
function stillRebooting(failure: TransportFailure): Outcome {
  const outcome = retryWhileBooting(failure);
  return outcome.kind === 'retry'
    ? {
        ...outcome,
        problem: `waiting_for_boot: the host was sent a reboot and does not respond yet: ${failure}`,
      }
    : outcome;
}

/** Waits until the host is back from another boot. That port 22 answers says nothing: only another boot id does. */
export const waitForReboot = ({ policy }: OperationTask): Step<TaskOf<'rollout'>> => ({
  name: 'wait_for_reboot',
  phase: 'rebooting',
  isUnnecessary: isRebootUnnecessary,
  retryPolicy: bootRetryPolicy(policy.timeouts.rebootS),
  async run(context) {
    const rebootId = rebootIdOf(context);
    if (rebootId === undefined) return done();
    const { connection } = context;
    const probed = await queryAsRoot(
      connection,
      probeReboot(rebootId),
      REBOOT_STATE_LABEL,
      stillRebooting,
      retryOnScriptError,
    );
    if ('outcome' in probed) return probed.outcome;
    const probe = probed.answer;
    if (probe.bootId !== rebootId.bootId) return done({ boot_id: probe.bootId });
    if (probe.marker === 'failed') return failed(`reboot_failed: ${probe.problem}`);
    if (probe.marker !== 'none')
      return retry('waiting_for_shutdown: the host was sent a reboot and has not shut down yet');
    // It never ran.
    const sent = await issueReboot(context, rebootId, probe.uptimeS);
    return sent.kind === 'done' ? retry('waiting_for_shutdown: the host was sent a reboot') : sent;
  },
});

/** Makes sure that a reboot which may have been sent does not happen any more, before the host is given up. */
export const cancelReboot: Step<TaskOf<'rollout'>> = {
  name: 'cancel_reboot',
  phase: 'armed',
  // Beyond that no command of ours reboots the host any more.
  retryPolicy: phaseRetryPolicy(REBOOT_DEADLINE_S),
  async run(context) {
    const rebootId = rebootIdOf(context);
    if (rebootId === undefined) return done();
    // An error means that neither the marker nor the spare marker could be created: then only the deadline stops a late command.
    const reply = await queryAsRoot(
      context.connection,
      blockReboot(rebootId),
      'the reply of the host',
      fromTransportFailure,
      retryOnScriptError,
    );
    return 'outcome' in reply ? reply.outcome : done({ answer: reply.answer });
  },
};
