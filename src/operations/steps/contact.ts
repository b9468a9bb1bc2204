import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Patience } from '../../domain/work/patience.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { afterFailure, done } from '../outcomes.ts';
import type { Step } from '../step.ts';

/** Waits until the host lets us in: it may have been enrolled before its sshd is up. Nothing is run on it before the key that it shows is saved. */
export const contact = (patience: Patience): Step<WorkOf<'bootstrap'>> => ({
  name: 'wait_for_ssh',
  patience,
  async run({ link, isPinned }) {
    const hostKey = await link.hostKey();
    if (hostKey instanceof TransportFailure) return afterFailure(hostKey);
    return done({ is_first_contact: !isPinned }, isPinned ? { offeredKey: null } : { hostKey });
  },
});
