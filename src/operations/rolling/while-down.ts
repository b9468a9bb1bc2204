import type { TransportFailure } from '../../domain/transport-failure.ts';
import { afterFailure, again } from '../outcomes.ts';
import type { Outcome } from '../step.ts';

/**
 * What it means that a host which boots cannot be spoken to: nothing yet. sshd may be up before anybody is let in, as pam_nologin has it. But one
 * that shows another key is another host.
 */
export const whileDown = (failure: TransportFailure): Outcome =>
  failure.kind === 'host_key_changed'
    ? afterFailure(failure)
    : again(failure.toString(), { isSilence: failure.isSilence });
