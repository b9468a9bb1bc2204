import type { Question } from '../../domain/command.ts';
import type { Deployments } from './os-driver.ts';

/** A system that is upgraded as a whole has something to apply, and needs a reboot for it, while something is staged. */
export const somethingStaged = (deployments: Question<Deployments>): Question<boolean> => ({
  argv: deployments.argv,
  read: ran => {
    const found = deployments.read(ran);
    return found && found.staged !== undefined;
  },
});
