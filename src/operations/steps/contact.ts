import { TransportFailure } from '../../domain/transport-failure.ts';
import type { WorkOf } from '../../domain/work.ts';
import { afterFailure, done } from '../outcomes.ts';
import { withANewHost } from '../patience.ts';
import type { Step } from '../step.ts';

/** Waits until the host lets us in. Nothing is run on it before the key that it shows is saved. */
export const contact = (withinMs: number): Step<WorkOf<'bootstrap'>> => ({
  name: 'contact',
  patience: withANewHost(withinMs),
  async run({ link, isPinned }) {
    const hostKey = await link.hostKey();
    if (hostKey instanceof TransportFailure) return afterFailure(hostKey);
    return done({ first_contact: !isPinned }, isPinned ? { offeredKey: null } : { hostKey });
  },
});
