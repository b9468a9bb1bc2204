import { TransportFailure } from '../../domain/transport-failure.ts';
import { afterFailure, done } from '../outcomes.ts';
import { withANewHost } from '../patience.ts';
import type { Step } from '../step.ts';
import type { Bootstrap } from './bootstrap.ts';

/** Waits until the host lets us in. Nothing is run on it before the key that it shows is saved. */
export const contact = (waitMs: number): Step<Bootstrap> => ({
  name: 'contact',
  patience: withANewHost(waitMs),
  async run({ link, isPinned }) {
    const hostKey = await link.hostKey();
    if (hostKey instanceof TransportFailure) return afterFailure(hostKey);
    return done({ first_contact: !isPinned }, isPinned ? { offeredKey: null } : { hostKey });
  },
});
