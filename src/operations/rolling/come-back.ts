import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationWork, WorkOf } from '../../domain/work.ts';
import { again, done, failed } from '../outcomes.ts';
import { whileItBoots } from '../patience.ts';
import { lookAtReboot } from '../reboot/look-at-reboot.ts';
import type { Outcome, Step } from '../step.ts';
import { ASK_TIMEOUT_MS } from '../time-limits.ts';
import { isNoRebootDue, rebootMarkOf, sendNow } from './send.ts';
import { whileDown } from './while-down.ts';

/** Who reads only this must see that it was we who had it reboot. */
function notBack(failure: TransportFailure): Outcome {
  const outcome = whileDown(failure);
  return outcome.kind === 'again'
    ? { ...outcome, problem: `not_back: the host was told to reboot, and does not answer: ${failure}` }
    : outcome;
}

/** Waits until the host is back from another boot. That port 22 answers says nothing: only another boot id does. */
export const comeBack = ({ policy }: OperationWork): Step<WorkOf<'roll'>> => ({
  name: 'come_back',
  phase: 'rebooting',
  isNeedless: isNoRebootDue,
  patience: whileItBoots(policy.timeouts.rebootS),
  async run(context) {
    const mark = rebootMarkOf(context);
    if (mark === undefined) return done();
    const look = await context.link.ask(lookAtReboot(mark), { timeoutMs: ASK_TIMEOUT_MS, asRoot: true });
    if (look instanceof TransportFailure) return notBack(look);
    if (look === undefined) return again('unreadable: what the host says of its reboot makes no sense');
    if (look.bootId !== mark.bootId) return done({ boot_id: look.bootId });
    if (look.marker === 'failed') return failed(`reboot_failed: ${look.problem}`);
    if (look.marker !== 'none') return again('not_down: the host was told to reboot, and has not yet');
    // It never ran.
    const sent = await sendNow(context, mark, look.uptimeS);
    return sent.kind === 'done' ? again('not_down: the host was told to reboot') : sent;
  },
});
