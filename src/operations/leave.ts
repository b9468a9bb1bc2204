import type { Host } from '../domain/host.ts';
import type { WorkOf } from '../domain/work.ts';
import type { Procedure } from './step.ts';
import { deregister } from './steps/deregister.ts';

/** What is left to be done when a host has left a cluster, or was removed altogether. */
export const leave: Procedure<WorkOf<'leave'>, Host | null> = {
  kind: 'leave',
  steps: [deregister],
  needsHost: false,
  causeOfFailure: null,
};
