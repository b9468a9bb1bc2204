import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OperationWork, WorkOf } from '../../domain/work/work.ts';
import { afterFailure, again, askToReboot, done } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import type { Step } from '../step.ts';
import { ASK_TIMEOUT_MS } from '../time-limits.ts';
import { askRebootNeed } from './ask-as-root.ts';
import { driverOf, UNSUPPORTED } from './driver-of.ts';
import { OWN_MACHINE } from './preflight.ts';

/** Learns whether a reboot is due, and of which boot: that is saved before anything is sent. */
export const arm = ({ policy }: OperationWork): Step<WorkOf<'rollout'>> => ({
  name: 'plan_reboot',
  phase: 'armed',
  patience: inAPhase(policy.timeouts.rebootS),
  async run(context) {
    const { link, os } = context;
    if (policy.reboot === 'never') return done({ reboot_required: false });
    const driver = driverOf(context, context.host);
    if (driver === undefined) return UNSUPPORTED;
    const need = policy.reboot === 'always' ? { answer: true } : await askRebootNeed(link, driver);
    if ('outcome' in need) return need.outcome;
    if (!need.answer) return done({ reboot_required: false });
    const pulse = await link.ask(os.pulse, { timeoutMs: ASK_TIMEOUT_MS });
    if (pulse instanceof TransportFailure) return afterFailure(pulse);
    if (pulse === undefined) return again('unexpected_output: cannot parse the boot ID of the host');
    // A server may have been started there since it was prepared.
    if ((await context.serverBootIds()).includes(pulse.bootId)) return OWN_MACHINE;
    if (!(await context.mayReboot())) return askToReboot;
    return done({ reboot_required: true, boot_id: pulse.bootId });
  },
});
