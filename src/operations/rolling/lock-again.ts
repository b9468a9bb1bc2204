import type { Progress, WorkOf } from '../../domain/work.ts';
import { resultOf } from '../../domain/work.ts';
import { done } from '../outcomes.ts';
import { inAPhase } from '../patience.ts';
import type { TakeAnswer } from '../reboot/take-mark.ts';
import { runAll } from '../run-all.ts';
import type { Step } from '../step.ts';
import { afterCommands } from './after-commands.ts';
import { driverOf } from './driver-of.ts';

/** It does next to nothing; a host that is away is not waited for much longer than for a reboot that is called off. */
const PATIENCE_S = 120;

/** What a host says of the reboot that should have been called off, when it is too late for that. */
const ON_ITS_WAY: readonly unknown[] = ['begun', 'other_boot'] satisfies readonly TakeAnswer[];

/** A host that is given up after its image was applied, and before its reboot, must not get it by some boot later on. */
export const lockAgain: Step<WorkOf<'roll'>> = {
  name: 'lock_again',
  phase: 'armed',
  isNeedless: progress => ON_ITS_WAY.includes(resultOf(progress, 'call_off', 'answer')),
  patience: inAPhase(PATIENCE_S),
  async run(context) {
    const commands = driverOf(context, context.host)?.image?.lock ?? [];
    const problem = await runAll(context, commands, PATIENCE_S * 1000);
    return afterCommands(context, problem) ?? done();
  },
};

/** What was applied could not be locked. */
export const isLeftUnlocked = (progress: Pick<Progress, 'done'>): boolean =>
  resultOf(progress, 'lock_again', 'problem') !== undefined;
