import type { Question } from '../../domain/command.ts';
import type { Deployments } from './os-driver.ts';

/** A system that is upgraded as a whole needs a reboot while something is staged. */
export const imageRebootNeed = (deployments: Question<Deployments>): Question<boolean> => ({
  argv: deployments.argv,
  read: ran => {
    const found = deployments.read(ran);
    return found && found.staged !== undefined;
  },
});
