import type { WorkOf } from '../domain/work.ts';
import { register } from './register.ts';
import type { Operation } from './step.ts';

/** What it takes for a host that is ready to become a member of a cluster. */
export const join: Operation<WorkOf<'join'>> = {
  kind: 'join',
  steps: [register],
  needsHost: true,
  causeOfFailure: null,
};
