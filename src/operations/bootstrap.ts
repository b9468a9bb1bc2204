import type { WorkOf } from '../domain/work/work.ts';
import { WITH_A_MANAGER, withAHost } from './patience.ts';
import type { Procedure } from './step.ts';
import { contact } from './steps/contact.ts';
import { enterNetwork } from './steps/enter-network.ts';
import { finish } from './steps/finish.ts';
import { investigate } from './steps/investigate.ts';
import { joinContainerManager } from './steps/join-container-manager.ts';
import { prepare } from './steps/prepare.ts';
import { register } from './steps/register.ts';

export interface BootstrapSettings {
  /** How long a host that was enrolled may take until it can be reached. */
  readonly contactWithinMs: number;
  /** How long what fails on a host that was reached is tried again. */
  readonly retryWithinMs: number;
}

/** A host's way from `investigating` to `active` or `disassociated`. */
export const bootstrap = ({
  contactWithinMs,
  retryWithinMs,
}: BootstrapSettings): Procedure<WorkOf<'bootstrap'>> => ({
  kind: 'bootstrap',
  // A node last: a container manager that is away does not keep a host from being ready.
  steps: [
    contact(withAHost(contactWithinMs)),
    ...[investigate, prepare].map(step => step(withAHost(retryWithinMs))),
    enterNetwork('host', withAHost(retryWithinMs)),
    finish(withAHost(retryWithinMs)),
    joinContainerManager,
    register,
    enterNetwork('node', WITH_A_MANAGER),
  ],
  needsHost: true,
  causeOfFailure: 'gave_up',
});
