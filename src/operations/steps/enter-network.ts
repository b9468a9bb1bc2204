import type { Patience } from '../../domain/patience.ts';
import type { WorkOf } from '../../domain/work.ts';
import { done, failed } from '../outcomes.ts';
import type { Step } from '../step.ts';

/** Makes sure that the host can be brought into the network of its cluster. */
export const enterNetwork = (patience: Patience): Step<WorkOf<'bootstrap'>> => ({
  name: 'enter_network',
  patience,
  async run({ networkProblem }) {
    const problem = await networkProblem();
    return problem === undefined ? done() : failed(`network: ${problem}`);
  },
});
