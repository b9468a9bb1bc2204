import type { WorkOf } from '../domain/work.ts';
import type { Procedure } from './step.ts';
import { register } from './steps/register.ts';

/** What it takes for a host that is ready to become a member of a cluster. */
export const join: Procedure<WorkOf<'join'>> = {
  kind: 'join',
  steps: [register],
  needsHost: true,
  causeOfFailure: null,
};
