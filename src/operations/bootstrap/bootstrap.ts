import type { WorkOf } from '../../domain/work.ts';
import { done } from '../outcomes.ts';
import { WITH_A_HOST } from '../patience.ts';
import { register } from '../register.ts';
import type { Operation, Step } from '../step.ts';
import { contact } from './contact.ts';
import { investigate } from './investigate.ts';
import { prepare } from './prepare.ts';

export type Bootstrap = WorkOf<'bootstrap'>;

/** It has all it needs. */
const settle: Step<Bootstrap> = {
  name: 'settle',
  patience: WITH_A_HOST,
  run: async () => done({}, { cause: 'bootstrapped' }),
};

/** A host's way from `investigating` to `active` or `disassociated`. */
export const bootstrap = ({ waitMs }: { readonly waitMs: number }): Operation<Bootstrap> => ({
  kind: 'bootstrap',
  // Registered last: a container manager that is away does not keep a host from being ready.
  steps: [contact(waitMs), investigate, prepare, settle, register],
  needsHost: true,
  causeOfFailure: 'gave_up',
});
