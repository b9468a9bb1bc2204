import type { WorkOf } from '../../domain/work.ts';
import { done } from '../outcomes.ts';
import { WITH_A_HOST } from '../patience.ts';
import type { Step } from '../step.ts';

/** The host has all it needs: it is ready. */
export const finish: Step<WorkOf<'bootstrap'>> = {
  name: 'finish',
  patience: WITH_A_HOST,
  run: async () => done({}, { cause: 'bootstrapped' }),
};
