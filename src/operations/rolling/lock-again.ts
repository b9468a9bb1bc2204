import type { Progress, WorkOf } from '../../domain/work/work.ts';
import { resultOf } from '../../domain/work/work.ts';
import { done } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import { lookAtReboot } from '../reboot/look-at-reboot.ts';
import { runAll } from '../run-all.ts';
import type { Step } from '../step.ts';
import { afterCommands } from './after-commands.ts';
import { askAsRoot, OF_ITS_REBOOT } from './ask-as-root.ts';
import { driverOf } from './driver-of.ts';
import { rebootMarkOf } from './send.ts';

/** It does next to nothing; a host that is away is not waited for much longer than for a reboot that is called off. */
const PATIENCE_S = 120;

/** A host that is given up after its image was applied, and before its reboot, must not get it by some boot later on. */
export const lockAgain = (from: string): Step<WorkOf<'rollout'>> => ({
  name: 'relock_deployment',
  phase: 'armed',
  // One that was told to reboot, and is silent, has been waited for already.
  patience: inAPhase(from === 'wait_for_reboot' ? 0 : PATIENCE_S),
  async run(context) {
    const commands = driverOf(context, context.host)?.image?.lock ?? [];
    if (commands.length === 0) return done();
    const mark = rebootMarkOf(context);
    if (mark !== undefined) {
      const looked = await askAsRoot(context.link, lookAtReboot(mark), OF_ITS_REBOOT);
      if ('outcome' in looked) return looked.outcome;
      if (looked.answer.bootId !== mark.bootId) return done();
    }
    const problem = await runAll(context, commands, PATIENCE_S * 1000);
    return afterCommands(context, problem) ?? done();
  },
});

/** What was applied could not be locked. */
export const isLeftUnlocked = (progress: Pick<Progress, 'done'>): boolean =>
  resultOf(progress, 'relock_deployment', 'problem') !== undefined;
