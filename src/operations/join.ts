import type { WorkOf } from '../domain/work/work.ts';
import { WITH_A_MANAGER } from './patience.ts';
import type { Procedure } from './step.ts';
import { enterNetwork } from './steps/enter-network.ts';
import { joinContainerManager } from './steps/join-container-manager.ts';
import { register } from './steps/register.ts';

/** What it takes for a host that is ready to become a member of a cluster. */
export const join: Procedure<WorkOf<'join'>> = {
  kind: 'join',
  steps: [
    enterNetwork('host', WITH_A_MANAGER),
    joinContainerManager,
    register,
    enterNetwork('node', WITH_A_MANAGER),
  ],
  needsHost: true,
  causeOfFailure: null,
};
