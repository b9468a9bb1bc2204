import type { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationWork, WorkOf } from '../../domain/work/work.ts';
import { again, done, failed, retryOnScriptError } from '../outcomes.ts';
import { whileItBoots } from '../patience.ts';
import { lookAtReboot } from '../reboot/look-at-reboot.ts';
import type { Outcome, Step } from '../step.ts';
import { askAsRoot, OF_ITS_REBOOT } from './ask-as-root.ts';
import { isNoRebootDue, rebootMarkOf, sendNow } from './send.ts';
import { whileDown } from './while-down.ts';

/** Who reads only this must see that it was we who had it reboot. */
function notBack(failure: TransportFailure): Outcome {
  const outcome = whileDown(failure);
  return outcome.kind === 'retry'
    ? {
        ...outcome,
        problem: `waiting_for_boot: the host was sent a reboot and does not respond yet: ${failure}`,
      }
    : outcome;
}

/** Waits until the host is back from another boot. That port 22 answers says nothing: only another boot id does. */
export const comeBack = ({ policy }: OperationWork): Step<WorkOf<'rollout'>> => ({
  name: 'wait_for_reboot',
  phase: 'rebooting',
  isNeedless: isNoRebootDue,
  patience: whileItBoots(policy.timeouts.rebootS),
  async run(context) {
    const mark = rebootMarkOf(context);
    if (mark === undefined) return done();
    const { link } = context;
    const looked = await askAsRoot(link, lookAtReboot(mark), OF_ITS_REBOOT, notBack, retryOnScriptError);
    if ('outcome' in looked) return looked.outcome;
    const look = looked.answer;
    if (look.bootId !== mark.bootId) return done({ boot_id: look.bootId });
    if (look.marker === 'failed') return failed(`reboot_failed: ${look.problem}`);
    if (look.marker !== 'none')
      return again('waiting_for_shutdown: the host was sent a reboot and has not shut down yet');
    // It never ran.
    const sent = await sendNow(context, mark, look.uptimeS);
    return sent.kind === 'done' ? again('waiting_for_shutdown: the host was sent a reboot') : sent;
  },
});
