import type { WorkOf } from '../../domain/work/work.ts';
import { afterFailure, done, retryOnScriptError } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import { REBOOT_DEADLINE_S } from '../reboot/mark.ts';
import { takeMark } from '../reboot/take-mark.ts';
import type { Step } from '../step.ts';
import { askAsRoot } from './ask-as-root.ts';
import { rebootMarkOf } from './send.ts';

/** Makes sure that a reboot which may have been sent does not happen any more, before the host is given up. */
export const callOff: Step<WorkOf<'rollout'>> = {
  name: 'cancel_reboot',
  phase: 'armed',
  // Beyond that no command of ours reboots the host any more.
  patience: inAPhase(REBOOT_DEADLINE_S),
  async run(context) {
    const mark = rebootMarkOf(context);
    if (mark === undefined) return done();
    // An error means that neither the marker nor the spare marker could be created: then only the deadline stops a late command.
    const taken = await askAsRoot(
      context.link,
      takeMark(mark),
      'the reply of the host',
      afterFailure,
      retryOnScriptError,
    );
    return 'outcome' in taken ? taken.outcome : done({ answer: taken.answer });
  },
};
