import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationWork, WorkOf } from '../../domain/work/work.ts';
import { resultOf } from '../../domain/work/work.ts';
import { lastLine } from '../../lib/text/harmless.ts';
import { afterFailure, again, askToReboot, done, failed, failOnScriptError, withdrawn } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import { lookAtReboot } from '../reboot/look-at-reboot.ts';
import type { RebootMark } from '../reboot/mark.ts';
import { REBOOT_DEADLINE_S } from '../reboot/mark.ts';
import { sendReboot } from '../reboot/send-reboot.ts';
import { takeMark } from '../reboot/take-mark.ts';
import { ScriptError } from '../script-error.ts';
import type { Outcome, Step, StepContext } from '../step.ts';
import { AS_ROOT, askAsRoot, OF_ITS_REBOOT } from './ask-as-root.ts';
import { driverOf } from './driver-of.ts';
import { finalizeOf } from './finalize.ts';
import { stanceOf } from './stance.ts';

type Context = StepContext<WorkOf<'rollout'>>;

/** What the host knows a reboot of this attempt by; `undefined` when none is due. */
export function rebootMarkOf({ work, progress }: Pick<Context, 'work' | 'progress'>): RebootMark | undefined {
  const { operation, attempt } = work;
  const bootId = resultOf(progress, 'plan_reboot', 'boot_id');
  return typeof bootId === 'string' ? { operation, attempt, bootId } : undefined;
}

const begun = ({ work }: Context): Outcome =>
  done({}, { cause: 'lost', reason: `rebooting: requested by ${work.operationKind} ${work.operation}` });

/** By what was learnt when it was armed. */
export const isNoRebootDue: NonNullable<Step['isNeedless']> = progress =>
  resultOf(progress, 'plan_reboot', 'reboot_required') === false;

/** Has the host reboot, unless it did already. It is asked first, never assumed: a server may have been here before. */
export const send = ({ policy }: OperationWork): Step<WorkOf<'rollout'>> => ({
  name: 'reboot',
  phase: 'armed',
  isNeedless: isNoRebootDue,
  patience: inAPhase(policy.timeouts.rebootS),
  async run(context) {
    const mark = rebootMarkOf(context);
    if (mark === undefined) return done();
    const looked = await askAsRoot(context.link, lookAtReboot(mark), OF_ITS_REBOOT);
    if ('outcome' in looked) return looked.outcome;
    const look = looked.answer;
    if (look.bootId !== mark.bootId || look.marker === 'started') return begun(context);
    if (look.marker === 'failed') return failed(`reboot_failed: ${look.problem}`);
    if (isAskedToStay(context)) return stay(context, mark);
    if (look.marker === 'blocked')
      return failed('reboot_cancelled: the reboot of this attempt was cancelled');
    return sendNow(context, mark, look.uptimeS);
  },
});

function isAskedToStay({ work, unwanted }: Context): boolean {
  return unwanted !== null && stanceOf(work.operationKind, 'reboot', unwanted) === 'ask it';
}

/** Takes the marker, so that a command which comes late finds it and does nothing. */
async function stay(context: Context, mark: RebootMark): Promise<Outcome> {
  const taken = await askAsRoot(context.link, takeMark(mark), OF_ITS_REBOOT);
  if ('outcome' in taken) return taken.outcome;
  return taken.answer === 'blocked' ? withdrawn : begun(context);
}

/** Sends the guarded command once. How the connection ends proves nothing; the next look does. */
export async function sendNow(context: Context, mark: RebootMark, uptimeS: number): Promise<Outcome> {
  const { link, work, host } = context;
  // Another server may have armed the host long ago.
  if (!(await context.mayReboot())) return askToReboot;
  const driver = driverOf(context, host);
  const by = driver ? finalizeOf(driver, work).rebooting : null;
  const { argv, read } = sendReboot(mark, { deadlineS: uptimeS + REBOOT_DEADLINE_S, by });
  const ran = await link.run(argv, AS_ROOT);
  if (ran instanceof TransportFailure) return afterFailure(ran);
  const sent = read(ran);
  if (sent instanceof ScriptError) return failOnScriptError(sent);
  if (sent === 'started' || sent === 'other_boot') return begun(context);
  if (sent !== undefined) return again(`reboot_not_started: the host replied ${sent}`);
  const output = lastLine(ran.stderr) || lastLine(ran.stdout);
  return again(`reboot_not_started: the reboot script exited with ${ran.exitCode}${output && `: ${output}`}`);
}
