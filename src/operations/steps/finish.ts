import type { Patience } from '../../domain/work/patience.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { done } from '../outcomes.ts';
import type { Step } from '../step.ts';

/** The host has all it needs: it is ready. */
export const finish = (patience: Patience): Step<WorkOf<'bootstrap'>> => ({
  name: 'mark_ready',
  patience,
  run: async () => done({}, { cause: 'bootstrapped' }),
});
